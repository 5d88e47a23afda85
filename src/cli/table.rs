//! How a file is read: the time axis, the layout, uneven steps and missing values of a table, the page and the orientation of an image; and the channel that a command takes.

use super::arguments::{from_one, one_of};
use super::{Failure, load_as};
use crate::remedy::Remedy;
use crate::signal::{ChannelChoice, DecimalMark, Layout, Missing, RawFormat, ReadOptions, Signal, TimeChoice, Uneven};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::Path;

/// Options that say how a file is read.
#[derive(Debug, Args)]
pub(super) struct TableArguments {
    /// How a file without a header stores its samples: u8, s8, s16, s24, s32, f32 or f64, with c before it for complex samples (real and imaginary part) and be behind it for the highest byte first; alaw or mulaw; the number of channels; and the rate, as s16,2,44100, s24be,1,48kHz or cu8,1,2.4MHz. The endings .s16, .cu8 … say the type.
    #[arg(long, value_name = "TYPE,CHANNELS,RATE")]
    raw: Option<RawFormat>,
    /// The column with the times or positions of the samples, by its name or its number from 1; none (a column of times is a channel like the others) or index (samples are counted) [default: the column that looks like times].
    #[arg(long, value_name = "COLUMN|none|index")]
    time: Option<String>,
    /// Takes every row as a signal of its own, and not every column.
    #[arg(long)]
    batch: bool,
    /// How to treat uneven steps: even (the samples are taken as even), linear or cubic (even samples of a curve through them), or refuse.
    #[arg(long, default_value = "refuse", value_parser = one_of::<Uneven>(), ignore_case = true)]
    uneven: Uneven,
    /// How to treat missing values (empty, NA, NaN, null, a dash): interpolate or refuse.
    #[arg(long, default_value = "interpolate", value_parser = one_of::<Missing>(), ignore_case = true)]
    missing: Missing,
    /// A number that stands for a missing value, as -9999; repeatable.
    #[arg(long = "missing-code", value_name = "NUMBER", allow_negative_numbers = true)]
    missing_codes: Vec<f64>,
    /// The sign before the fractions of the numbers of a table: comma or point, while the other one separates thousands [default: as the numbers say].
    #[arg(long, value_parser = one_of::<DecimalMark>(), ignore_case = true)]
    decimal: Option<DecimalMark>,
    /// The page, slice or frame of a file that has several, from 1 [default: the first].
    #[arg(long, value_name = "N", value_parser = from_one)]
    page: Option<NonZeroUsize>,
    /// Leaves rows and columns as the file stores them, where it asks to turn the image upright.
    #[arg(long)]
    as_stored: bool,
}

/// The channel of a command that takes one.
#[derive(Debug, Args)]
pub(super) struct ChannelArguments {
    /// The channel: its name; a number from 1, where columns of times, indices and text do not count; luma, red, green or blue; mix, the mean of all channels; or iq, which takes two channels as the real and imaginary parts of complex samples.
    #[arg(long, default_value = "luma", value_name = "NAME")]
    pub(super) channel: String,
}

impl TableArguments {
    /// The decisions.
    fn options(&self) -> ReadOptions {
        let time = match self.time.as_deref() {
            None => TimeChoice::Auto,
            Some(none) if none.eq_ignore_ascii_case("none") => TimeChoice::None,
            Some(index) if index.eq_ignore_ascii_case("index") => TimeChoice::Index,
            Some(column) => TimeChoice::Column(column.to_owned()),
        };
        ReadOptions {
            raw: self.raw,
            time,
            layout: if self.batch { Layout::Batch } else { Layout::Auto },
            uneven: Some(self.uneven),
            missing: self.missing,
            missing_codes: self.missing_codes.clone(),
            decimal: self.decimal,
            left_out: Vec::new(),
            prefers_tables: false,
            page: self.page,
            as_stored: self.as_stored,
        }
    }

    /// Whether an option says that the file is a recording.
    pub(super) fn says_recording(&self) -> bool {
        self.raw.is_some() || self.time.is_some()
    }

    /// Reads a file, or a function after "f:", and prints its notes.
    pub(super) fn load(&self, path: &Path) -> Result<Signal, Failure> {
        let signal = self.load_silently(path)?;
        super::tell_notes(&signal, |_| true);
        Ok(signal)
    }

    /// As [`Self::load`], but samples with uneven steps stay where the file has them.
    pub(super) fn load_stamps(&self, path: &Path) -> Result<Signal, Failure> {
        let signal = self.checked(load_as(path, ReadOptions { uneven: None, ..self.options() })?)?;
        super::tell_notes(&signal, |_| true);
        Ok(signal)
    }

    /// As [`Self::load`], but prints no notes.
    pub(super) fn load_silently(&self, path: &Path) -> Result<Signal, Failure> {
        self.checked(load_as(path, self.options())?)
    }

    /// A signal that was read, unless it comes from no table and options for tables are given.
    fn checked(&self, signal: Signal) -> Result<Signal, Failure> {
        let given = [
            ("time", self.time.is_some()),
            ("batch", self.batch && signal.rows == 1),
            ("uneven", self.uneven != Uneven::default()),
            ("missing", self.missing != Missing::default()),
            ("missing-code", !self.missing_codes.is_empty()),
            ("decimal", self.decimal.is_some()),
        ];
        if let Some((name, _)) = given.into_iter().find(|(_, is_given)| *is_given && signal.table.is_none()) {
            return Err(Failure::Call(format!("{} was read as no table: leave --{name} out", signal.name)));
        }
        if self.as_stored && !signal.notes.iter().any(|note| note.others.contains(&Remedy::Upright)) {
            super::say(&format!("{} asks for no turn, so that --as-stored changes nothing", signal.name));
        }
        Ok(signal)
    }
}

impl ChannelArguments {
    /// The channel of a signal.
    pub(super) fn of(&self, signal: &Signal) -> Result<ChannelChoice, Failure> {
        Ok(signal.choice(&self.channel)?)
    }
}
