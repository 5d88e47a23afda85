//! Listings of kernels in languages that this program does not run, which steps of lessons show; `benches/listings.py` runs them.

/// The files of `assets/listings/`, by their names.
const LISTINGS: [(&str, &str); 4] = [
    ("global.cu", include_str!("../assets/listings/global.cu")),
    ("local.cu", include_str!("../assets/listings/local.cu")),
    ("global.cl", include_str!("../assets/listings/global.cl")),
    ("local.cl", include_str!("../assets/listings/local.cl")),
];

/// How a block of code begins whose text is a listing.
const LISTING: &str = "```listing ";

/// The text of a step with its listings in their blocks of code.
///
/// # Errors
/// When it names a listing that is not there; in one line.
pub(super) fn with_listings(text: &str) -> Result<String, String> {
    let lines = text.lines().map(|line| {
        let Some(name) = line.strip_prefix(LISTING).map(str::trim) else { return Ok(line.to_owned()) };
        let listing = LISTINGS.iter().find(|(known, _)| *known == name).map(|(_, listing)| format!("```\n{}", listing.trim_end()));
        listing.ok_or_else(|| format!("there is no listing '{name}': take {}", LISTINGS.map(|(known, _)| known).join(", ")))
    });
    Ok(lines.collect::<Result<Vec<_>, _>>()?.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_stands_in_its_block() {
        let text = with_listings("Before.\n\n```listing global.cl\n```\n\nAfter.").unwrap();
        assert!(text.starts_with("Before.\n\n```\n// One stage") && text.ends_with("}\n```\n\nAfter."), "{text}");
        assert!(text.contains("__kernel void global_kernel("));
    }
}
