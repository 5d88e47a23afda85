//! How recordings store numbers.

crate::choice! {
    /// How a number is stored in a recording. Full-scale integers are ±1.
    pub enum SampleType {
        /// Unsigned integers of 8 bits, silent at 128.
        U8 = "8 bits, unsigned", "u8";
        /// Signed integers of 8 bits.
        S8 = "8 bits, signed", "s8";
        /// Signed integers of 16 bits.
        #[default]
        S16 = "16 bits", "s16";
        /// Signed integers of 24 bits.
        S24 = "24 bits", "s24";
        /// Signed integers of 32 bits.
        S32 = "32 bits", "s32";
        /// Single precision.
        F32 = "32-bit float", "f32";
        /// Double precision.
        F64 = "64-bit float", "f64";
        /// 8 bits of the logarithmic A-law of telephones.
        ALaw = "A-law", "alaw";
        /// 8 bits of the logarithmic µ-law of telephones.
        MuLaw = "µ-law", "mulaw";
    }
}

/// How a sample is stored: its numbers, the order of their bytes, and whether two of them are one complex sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Encoding {
    /// How a number is stored.
    pub sample_type: SampleType,
    /// Whether the byte of the highest bits comes first.
    pub is_big_endian: bool,
    /// Whether a sample is a real and an imaginary part, one after the other.
    pub is_complex: bool,
}

impl SampleType {
    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::S8 | Self::ALaw | Self::MuLaw => 1,
            Self::S16 => 2,
            Self::S24 => 3,
            Self::S32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The bits of an integer; `None` for other numbers.
    pub fn integer_bits(self) -> Option<u32> {
        matches!(self, Self::U8 | Self::S8 | Self::S16 | Self::S24 | Self::S32).then(|| 8 * self.bytes() as u32)
    }

    /// Whether single precision does not hold every number.
    pub(super) fn is_double(self) -> bool {
        matches!(self, Self::S32 | Self::F64)
    }

    /// The number that each byte stands for.
    pub(super) fn of_byte(self) -> [f32; 256] {
        std::array::from_fn(|byte| {
            let byte = byte as u8;
            match self {
                Self::U8 => (f32::from(byte) - 128.0) / 128.0,
                Self::ALaw => a_law(byte),
                Self::MuLaw => mu_law(byte),
                _ => f32::from(byte as i8) / 128.0,
            }
        })
    }
}

/// A number of A-law (ITU-T G.711): a sign, three bits of exponent and four of mantissa, of which every second bit is inverted.
fn a_law(byte: u8) -> f32 {
    let bits = byte ^ 0x55;
    let (exponent, mantissa) = (bits >> 4 & 7, i16::from(bits & 15) << 4);
    let magnitude = if exponent == 0 { mantissa + 8 } else { (mantissa + 0x108) << (exponent - 1) };
    f32::from(if bits & 0x80 != 0 { magnitude } else { -magnitude }) / 32_768.0
}

/// A number of µ-law (ITU-T G.711): a sign, three bits of exponent and four of mantissa, all inverted, with a bias of 132.
fn mu_law(byte: u8) -> f32 {
    const BIAS: i16 = 132;
    let bits = !byte;
    let magnitude = (((i16::from(bits & 15) << 3) + BIAS) << (bits >> 4 & 7)) - BIAS;
    f32::from(if bits & 0x80 != 0 { -magnitude } else { magnitude }) / 32_768.0
}

impl Encoding {
    /// Real numbers of this type.
    pub fn of(sample_type: SampleType, is_big_endian: bool) -> Self {
        Self { sample_type, is_big_endian, is_complex: false }
    }

    /// Bytes of a sample.
    pub fn bytes(self) -> usize {
        if self.is_complex { 2 * self.sample_type.bytes() } else { self.sample_type.bytes() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stand_for_the_numbers_of_their_tables() {
        // The ends and the middle of each type, in units of 1/32768, as ITU-T G.711 lists them.
        for (sample_type, byte, units) in [
            (SampleType::ALaw, 0xd5, 8.0),
            (SampleType::ALaw, 0x55, -8.0),
            (SampleType::ALaw, 0xaa, 32_256.0),
            (SampleType::ALaw, 0x2a, -32_256.0),
            (SampleType::MuLaw, 0xff, 0.0),
            (SampleType::MuLaw, 0x80, 32_124.0),
            (SampleType::MuLaw, 0x00, -32_124.0),
            (SampleType::U8, 0x00, -32_768.0),
            (SampleType::U8, 0x80, 0.0),
            (SampleType::S8, 0x7f, 32_512.0),
            (SampleType::S8, 0x80, -32_768.0),
        ] {
            assert_eq!(sample_type.of_byte()[byte] * 32_768.0, units, "{sample_type:?} {byte:#x}");
        }
    }
}
