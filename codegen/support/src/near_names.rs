//! Names near one that is not known: found, sent in a header, and read again for tools.

use super::exchange::Exchange;
use super::text::percent_decode;
use http::HeaderName;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What is percent-encoded in the header: all but the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The most names that are proposed.
const MOST: usize = 3;
/// The characters of the longest name that others are compared with.
const LONGEST: usize = 64;

/// The known names nearest to `name`, at most three, the nearest first; of equally near ones, the first by code points. None if
/// `name` is known. Names are compared in their `form`. Near are names of which at most a third of the characters differs, and
/// names of which one contains the other.
pub fn of_names<'n>(name: &str, form: fn(&str) -> String, known: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let known = known.into_iter().map(|known| (form(known), known));
    nearest(&form(name), known.map(|(form, known)| (form.clone(), form, known)))
}

/// The same for names in groups that mean the same: of each group at most one.
pub fn of_groups(name: &str, form: fn(&str) -> String, groups: &[&[&str]]) -> Vec<String> {
    let known = groups.iter().enumerate();
    let known = known.flat_map(|(group, names)| names.iter().map(move |known| (group, form(known), *known)));
    nearest(&form(name), known)
}

/// The nearest of these names, which have a group and a form.
fn nearest<'n, G: PartialEq>(name: &str, known: impl Iterator<Item = (G, String, &'n str)>) -> Vec<String> {
    let length = name.chars().count();
    if length > LONGEST {
        return Vec::new();
    }
    let mut near = Vec::new();
    for (group, form, known) in known {
        if form == name {
            return Vec::new();
        }
        if let Some(distance) = distance((name, length), &form) {
            near.push((distance, known, group));
        }
    }
    near.sort_by_key(|(distance, known, _)| (*distance, *known));
    let mut nearest: Vec<(&str, G)> = Vec::new();
    for (_, known, group) in near {
        if nearest.len() < MOST && nearest.iter().all(|(_, other)| *other != group) {
            nearest.push((known, group));
        }
    }
    nearest.into_iter().map(|(known, _)| known.to_owned()).collect()
}

/// The distance of two names, if they are near. Most are not: their lengths differ too much.
fn distance((name, length): (&str, usize), other: &str) -> Option<usize> {
    const LEAST: usize = 2;
    let other_length = other.chars().count();
    let is_near = |distance: usize| distance * 3 <= length.max(other_length);
    let is_part = length.min(other_length) >= LEAST && (other.contains(name) || name.contains(other));
    if !is_part && !is_near(length.abs_diff(other_length)) {
        return None;
    }
    let distance = strsim::damerau_levenshtein(name, other);
    (is_part || is_near(distance)).then_some(distance)
}

impl Exchange {
    /// Sets a header of the answer to these names: percent-encoded, with commas between. Without names there is none.
    pub fn reply_names(&mut self, header: HeaderName, names: &[String]) {
        let names = names.iter().map(|name| utf8_percent_encode(name, ENCODED).to_string());
        let names: Vec<String> = names.collect();
        if !names.is_empty() {
            self.reply_header(header, &names.join(","));
        }
    }

    /// The names in a header of the answer.
    pub(crate) fn replied_names(&self, header: &str) -> Vec<String> {
        let names = self.replied(header).unwrap_or_default().split(',');
        let names = names.filter(|name| !name.is_empty());
        names
            .filter_map(|name| Some(percent_decode(name)?.into_owned()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;

    const SKILLS: [&str; 6] = ["Cooking", "Cleaning", "cooking", "Photography", "料理", "買い物"];

    #[track_caller]
    fn check(name: &str, expected: &[&str]) {
        assert_eq!(of_names(name, fold, SKILLS), expected, "{name}");
    }

    #[test]
    fn the_nearest_names_come_first_each_once() {
        check("Coking", &["Cooking"]);
        check("ＣＯＯＫＩＮＧＳ", &["Cooking"]);
        check("photo", &["Photography"]);
        check("leaning", &["Cleaning"]);
        check("お買い物", &["買い物"]);
        check("家庭料理", &["料理"]);
    }

    #[test]
    fn nothing_is_near_a_known_name_or_a_strange_one() {
        for name in ["cooking", "料理", "Welding", "o", ""] {
            check(name, &[]);
        }
        check(&"Cooking".repeat(100), &[]);
    }

    #[test]
    fn of_names_that_mean_the_same_the_nearest_is_proposed() {
        let groups: &[&[&str]] = &[&["東京都", "Tokyo", "Tokyo-to"], &["京都府", "Kyoto"]];
        let near = |name| of_groups(name, fold, groups);
        assert_eq!(near("Tokio"), ["Tokyo"]);
        assert_eq!(near("Tokyo-t"), ["Tokyo-to"]);
        assert_eq!(near("京都"), ["京都府", "東京都"]);
        assert_eq!(near("tokyo"), [""; 0]);
    }
}
