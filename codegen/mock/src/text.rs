//! Texts: how they are compared, decoded, and named in the texts of validation errors.

use caseless::Caseless;
use codegen::model::Alike;
use percent_encoding::percent_decode_str;
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization;

/// The form of a text in which it is compared.
pub(crate) fn form(text: &str, alike: Alike) -> String {
    match alike {
        Alike::Exact => text.to_owned(),
        Alike::Casefold => text.chars().default_case_fold().collect(),
        Alike::NfkcCasefold => text.nfkc().default_case_fold().nfkc().collect(),
    }
}

/// Whether a reader sees nothing of the text.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// Unicode's Default_Ignorable_Code_Point, the interlinear annotations, the empty braille pattern and the null notehead.
fn is_invisible(c: char) -> bool {
    const RANGES: [(u32, u32); 19] = [
        (0xad, 0xad),
        (0x34f, 0x34f),
        (0x61c, 0x61c),
        (0x115f, 0x1160),
        (0x17b4, 0x17b5),
        (0x180b, 0x180f),
        (0x200b, 0x200f),
        (0x202a, 0x202e),
        (0x2060, 0x206f),
        (0x2800, 0x2800),
        (0x3164, 0x3164),
        (0xfe00, 0xfe0f),
        (0xfeff, 0xfeff),
        (0xffa0, 0xffa0),
        (0xfff0, 0xfffb),
        (0x1_bca0, 0x1_bca3),
        (0x1_d159, 0x1_d159),
        (0x1_d173, 0x1_d17a),
        (0xe_0000, 0xe_0fff),
    ];
    RANGES
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&u32::from(c)))
}

/// Unicode's Bidi_Control.
pub(crate) fn is_bidi_control(c: char) -> bool {
    "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}".contains(c)
}

/// The known name that a mistyped one is closest to, if it is close enough.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let wanted = plain(name);
    let near = known.filter_map(|known| {
        let other = plain(known);
        let distance = strsim::damerau_levenshtein(&wanted, &other);
        let longer = wanted.chars().count().max(other.chars().count());
        (distance <= longer / 3).then_some((distance, known))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// What a text about an unknown name ends with: the name that is meant, or else all names.
pub(crate) fn hint(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()).or_else(|| by_words(name, known)) {
        Some(meant) => format!(", did you mean `{meant}`?"),
        None if known.is_empty() => String::new(),
        None => format!(", known are {}", quoted(known.iter().copied())),
    }
}

/// Of the names with the same words as this one and more, or with some of its words only, the first that has most in common.
fn by_words<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let wanted = words(name);
    let mut best: Option<(usize, &str)> = None;
    for known in known.iter().filter(|_| name.len() <= 64) {
        let words = words(known);
        let common = words.intersection(&wanted).count();
        let is_near = common == words.len() || common == wanted.len();
        if is_near && common > best.map_or(0, |(most, _)| most) {
            best = Some((common, known));
        }
    }
    best.map(|(_, known)| known)
}

/// The words of a name: `bookIds` has `book` and `id`.
fn words(name: &str) -> BTreeSet<String> {
    let mut spaced = String::new();
    for (index, c) in name.char_indices() {
        let is_start = c.is_uppercase() && name[..index].ends_with(char::is_lowercase);
        spaced.extend(is_start.then_some(' '));
        spaced.push(if c.is_alphanumeric() { c } else { ' ' });
    }
    let words = spaced.split_whitespace().map(str::to_lowercase);
    words
        .map(|word| word.strip_suffix('s').unwrap_or(&word).to_owned())
        .collect()
}

fn plain(name: &str) -> String {
    name.replace(['_', '-'], "").to_lowercase()
}

/// Decodes `%41` to `A`; `None` for anything that is not percent-encoded UTF-8.
pub(crate) fn percent_decoded(text: &str) -> Option<String> {
    let is_digits = |digits: &[u8]| digits.len() == 2 && digits.iter().all(u8::is_ascii_hexdigit);
    let mut codes = text.split('%').skip(1);
    if !codes.all(|code| is_digits(code.as_bytes().get(..2).unwrap_or_default())) {
        return None;
    }
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

/// A name that a caller sent: at most 40 characters, all of them printable.
pub(crate) fn shortened(name: &str) -> String {
    const SHOWN: usize = 40;
    let mut characters = name.chars();
    let printable = |c: char| if c.is_control() || c == '`' { '\u{fffd}' } else { c };
    let mut shown: String = characters.by_ref().take(SHOWN).map(printable).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// `` `a`, `b` ``
pub(crate) fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_as_declared() {
        let forms = |alike: Alike| {
            [("ＯＳＡＫＡ", "Osaka"), ("A", "a")].map(|(one, other)| form(one, alike) == form(other, alike))
        };
        assert_eq!(forms(Alike::Exact), [false, false]);
        assert_eq!(forms(Alike::Casefold), [false, true]);
        assert_eq!(forms(Alike::NfkcCasefold), [true, true]);
    }

    #[test]
    fn percent_encoding_is_read_strictly() {
        for (text, decoded) in [
            ("%E6%9d%b1", Some("東")),
            ("%2541", Some("%41")),
            ("%", None),
            ("%4", None),
        ] {
            assert_eq!(percent_decoded(text).as_deref(), decoded, "{text}");
        }
        for wrong in ["%+1", "%é1", "%ff", "%ed%a0%80", "a%"] {
            assert_eq!(percent_decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_slip_is_recognized() {
        let known = ["skill", "minRate", "limit"];
        let nearest = |name| nearest(name, known.into_iter());
        assert_eq!(nearest("min_rate"), Some("minRate"));
        assert_eq!(nearest("limt"), Some("limit"));
        assert_eq!(nearest("page"), None);
        assert_eq!(nearest(""), None);
        for (name, end) in [
            ("max_rates", ", known are `skill`, `minRate`, `limit`"),
            ("min_hourly_rate", ", did you mean `minRate`?"),
            ("rates", ", did you mean `minRate`?"),
        ] {
            assert_eq!(hint(name, &known), end, "{name}");
        }
        assert_eq!(hint("page", &[]), "");
    }
}
