//! Measurements as tables: CSV with a header, numbers with all their digits.

use super::profile::frequency_in_image;
use super::{Frequency, LineProfile, Peak, Profile};
use std::fmt::Write as _;

/// A table from its header and its rows.
fn table<const N: usize>(header: &str, rows: impl Iterator<Item = [f64; N]>) -> String {
    rows.fold(format!("{header}\n"), |mut text, row| {
        for (index, number) in row.iter().enumerate() {
            let end = if index + 1 == N { '\n' } else { ',' };
            write!(text, "{number}{end}").expect("writing to a string does not fail");
        }
        text
    })
}

/// Peaks: `u,v,period,angle,magnitude`.
pub fn peaks_csv(peaks: &[Peak]) -> String {
    let row = |Peak { frequency: f, value, .. }: &Peak| [f.u, f.v, f.period(), f.angle(), value.norm()];
    table("u,v,period,angle,magnitude", peaks.iter().map(row))
}

/// Markers: `marker,u,v,period,angle,magnitude,phase,u_deviation,v_deviation`.
pub fn markers_csv(peaks: &[Peak]) -> String {
    let row = |(index, Peak { frequency: f, value, deviation: [du, dv], .. }): (usize, &Peak)| {
        [(index + 1) as f64, f.u, f.v, f.period(), f.angle(), value.norm(), value.arg(), *du, *dv]
    };
    table("marker,u,v,period,angle,magnitude,phase,u_deviation,v_deviation", peaks.iter().enumerate().map(row))
}

impl Profile {
    /// The profile over `name`: `frequency,power,count`, or `angle,power,count`.
    pub fn csv(&self, name: &str) -> String {
        let rows = self.at.iter().zip(&self.power).zip(&self.count).map(|((at, power), count)| [*at, *power, *count as f64]);
        table(&format!("{name},power,count"), rows)
    }
}

impl LineProfile {
    /// The profile of an image: `distance,x,y,value`.
    pub fn csv(&self) -> String {
        let rows = self.at.iter().zip(&self.values).enumerate();
        table("distance,x,y,value", rows.map(|(distance, ([x, y], value))| [distance as f64, *x, *y, *value]))
    }

    /// The profile of a spectrum image of this number of rows and columns: `distance,x,y,u,v,power`.
    pub fn spectrum_csv(&self, size: [usize; 2]) -> String {
        let row = |(distance, (at, power)): (usize, (&[f64; 2], &f64))| {
            let Frequency { u, v } = frequency_in_image(*at, size);
            [distance as f64, at[0], at[1], u, v, *power]
        };
        table("distance,x,y,u,v,power", self.at.iter().zip(&self.values).enumerate().map(row))
    }
}
