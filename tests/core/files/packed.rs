//! Files in packages of gzip.

use super::nifti::Nifti;
use super::{read, refusal, says, values};
use std::io::Write as _;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

#[test]
fn packages_of_gzip_are_read_as_what_they_hold() {
    let table = b"a,b\n1,2\n3,4\n5,6\n";
    let signal = read("table.csv.gz", &packed(table));
    assert_eq!((signal.name.as_str(), values(&signal)), ("table.csv.gz", values(&read("t.csv", table))));
    assert_eq!(signal.notes, read("t.csv", table).notes);
    let volume = Nifti::new(true, false, &[3, 1], 4).voxels(&[1, 2, 3]);
    assert_eq!(values(&read("brain.nii.gz", &packed(&volume))), [[1.0, 2.0, 3.0]]);
    assert!(says(&read("brain.png.gz", &packed(&volume)), "ends in .png"));
    let parts = [packed(b"1\n2\n"), packed(b"3\n"), vec![0; 20]].concat();
    assert_eq!(values(&read("parts.txt.gz", &parts)), [[1.0, 2.0, 3.0]]);
    let mut wrong = packed(table);
    let crc = wrong.len() - 6;
    wrong[crc] ^= 1;
    let cut = &packed(table)[..20];
    let tar = [&[b' '; 257][..], b"ustar\x0000", &[0; 300]].concat();
    for (bytes, words) in [
        (&wrong[..], "checksum"),
        (cut, "truncated"),
        (&packed(b""), "is empty"),
        (&packed(&packed(b"1\n2\n")), "package of gzip inside another"),
        (&packed(&tar), "x.gz is a tar archive, which Papillon does not read: unpack it"),
    ] {
        let refused = refusal("x.gz", bytes);
        assert!(refused.contains(words), "{refused}");
    }
}
