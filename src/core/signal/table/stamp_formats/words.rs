//! The words and the orders of fields in dates, as people, programs and spreadsheets of several languages write them.

/// The orders of the fields of a date. Where two fit, the earlier one is taken, unless the other one gives more even steps.
pub(super) const DATES: [&str; 42] = [
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y-%m-%d",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%m/%d/%y",
    "%d/%m/%y",
    "%d.%m.%y",
    "%d-%m-%y",
    "%y/%m/%d",
    "%y-%m-%d",
    "%d-%b-%Y",
    "%d %b %Y",
    "%d. %b %Y",
    "%d-%b-%y",
    "%d %b %y",
    "%d/%b/%Y",
    "%d%b%Y",
    "%b %d, %Y",
    "%b %d %Y",
    "%b-%d-%Y",
    "%b-%d-%y",
    "%b %d, %y",
    "%Y年%m月%d日",
    "%G-W%V",
    "%GW%V",
    "%G W%V",
    "%b. %d, %Y",
    "%Y-%b-%d",
    "%Y %b %d",
    "%Y/%b/%d",
    "%Y%m%d",
    "%Y-%j",
    "%Y/%j",
    "%a, %d %b %Y",
    "%a %d %b %Y",
    "%a %b %d %Y",
    "%a %b %d, %Y",
    "%a %d/%m/%Y",
];

/// Months without a day.
pub(super) const MONTHS: [&str; 16] = [
    "%b %Y", "%b-%Y", "%b/%Y", "%b. %Y", "%b, %Y", "%Y %b", "%Y-%b", "%Y/%b", "%Y-%m", "%Y/%m", "%m/%Y", "%m-%Y", "%m.%Y", "%YM%m",
    "%b-%y", "%b %y",
];

/// The clock behind a date.
pub(super) const CLOCKS: [&str; 12] = [
    "",
    " %H:%M",
    " %H:%M:%S%.f",
    "T%H:%M",
    "T%H:%M:%S%.f",
    ":%H:%M:%S%.f",
    " %I:%M %p",
    " %I:%M:%S%.f %p",
    " %H.%M.%S",
    " %Hh%M",
    ", %H:%M:%S%.f",
    ", %H:%M",
];

/// The zone behind a clock.
pub(super) const ZONES: [&str; 6] = ["", "Z", " %z", " %:z", " UTC", " GMT"];

/// A date and a clock in another order.
pub(super) const OTHERS: [&str; 3] = ["%a %b %d %H:%M:%S %Y", "%H:%M:%S %d/%m/%Y", "%H:%M %d.%m.%Y"];

/// The twelve months in other languages, whole and short, as spreadsheets write them.
const TRANSLATED: [(&str, &[&str]); 12] = [
    ("Jan", &["januar", "jänner", "janvier", "janv", "enero", "ene", "gennaio", "janeiro", "januari"]),
    ("Feb", &["februar", "feber", "février", "févr", "fév", "febrero", "febbraio", "fevereiro", "fev", "februari"]),
    ("Mar", &["märz", "mär", "mrz", "mars", "marzo", "março", "maart", "mrt"]),
    ("Apr", &["avril", "avr", "abril", "abr", "aprile"]),
    ("May", &["mai", "mayo", "maggio", "maio", "mei", "maj"]),
    ("Jun", &["juni", "juin", "junio", "giugno", "giu", "junho"]),
    ("Jul", &["juli", "juillet", "juil", "julio", "luglio", "lug", "julho"]),
    ("Aug", &["août", "aout", "agosto", "augustus", "augusti"]),
    ("Sep", &["sept", "septembre", "septiembre", "settembre", "setembro"]),
    ("Oct", &["oktober", "okt", "octobre", "octubre", "ottobre", "ott", "outubro"]),
    ("Nov", &["novembre", "noviembre", "novembro"]),
    ("Dec", &["dezember", "dez", "décembre", "déc", "diciembre", "dic", "dicembre", "dezembro"]),
];

/// The English name of a month in another language, in small letters.
pub(super) fn english(word: &str) -> Option<&'static str> {
    TRANSLATED.iter().find(|(_, names)| names.contains(&word)).map(|(english, _)| *english)
}

/// Words that are in dates, besides names of months and days.
pub(super) const WORDS: [&str; 30] = [
    "年", "月", "日", "時", "分", "to", "t", "z", "utc", "gmt", "am", "pm", "q", "m", "h", "s", "d", "p", "pt", "w", "day", "days",
    "hours", "hour", "min", "mins", "sec", "ms", "minutes", "seconds",
];

/// How the English names of months and days begin, in small letters.
pub(super) const NAMES: [&str; 19] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// A text with English names of months, and without the dots of abbreviations, unless the format has them.
pub(super) fn translated(text: &str, has_dots: bool) -> String {
    let mut all = text.to_owned();
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() >= 3) {
        let lower = word.to_lowercase();
        let is_month = NAMES.contains(&lower.as_str()) || english(&lower).is_some();
        if is_month && !has_dots {
            all = all.replacen(&format!("{word}."), word, 1);
        }
        if let Some(english) = english(&lower) {
            all = all.replacen(word, english, 1);
        }
    }
    all
}
