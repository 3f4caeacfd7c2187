//! Functions on texts: loose comparison, nearest names, percent-decoding.

use std::borrow::Cow;
use std::collections::HashMap;

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use super::arrival::Unserved;

/// The form in which texts are compared: Unicode NFKC, full case folding, NFKC again. Texts that look the same to a
/// reader have the same fold. Not for display.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkc().default_case_fold().nfkc().collect()
    }
}

/// The form in which texts are compared if only case makes no difference: Unicode full case folding.
pub fn casefold(text: &str) -> String {
    text.chars().default_case_fold().collect()
}

/// Whether each word of a text `is_found`. Words have white space between them. A text without words has none that is not.
pub fn each_word(text: &str, is_found: impl Fn(&str) -> bool) -> bool {
    text.split_whitespace().all(is_found)
}

/// Texts that mean the same, in groups, for filters that bring texts into one form before they compare them.
pub struct Synonyms {
    form: fn(&str) -> String,
    groups: Vec<Vec<String>>,
    /// The group of each text.
    places: HashMap<String, usize>,
}

impl Synonyms {
    /// Groups of texts, of which each is in one group only.
    pub fn new(groups: &[&[&str]], form: fn(&str) -> String) -> Self {
        let groups = groups.iter().map(|group| group.iter().map(|text| form(text)).collect());
        let groups: Vec<Vec<String>> = groups.collect();
        let each = groups.iter().enumerate();
        let places = each.flat_map(|(place, group)| group.iter().map(move |text| (text.clone(), place)));
        let places = places.collect();
        Self { form, groups, places }
    }

    /// Whether two texts have the same form, or are in one group.
    pub fn mean_the_same(&self, one: &str, other: &str) -> bool {
        let [one, other] = [one, other].map(self.form);
        let group = |text: &String| self.places.get(text);
        one == other || group(&one).is_some_and(|place| group(&other) == Some(place))
    }

    /// What to search in texts for this part of them.
    pub fn part(&self, text: &str) -> Part {
        let text = (self.form)(text);
        let Some(own) = self.places.get(&text) else {
            return Part::of(text, self.form);
        };
        let texts = &self.groups[*own];
        let others = self.groups.iter().enumerate().filter(|(place, _)| place != own);
        let others = others.flat_map(|(_, group)| group);
        let longer = others.filter(|other| texts.iter().any(|text| other.contains(text.as_str())));
        Part {
            form: self.form,
            longer: longer.cloned().collect(),
            texts: texts.clone(),
        }
    }
}

/// A part of texts that a filter wants. If it is in a group of texts that mean the same, each of these is wanted, but not
/// inside of a longer text of another group: `京都` is not in `東京都港区`.
#[derive(Clone, Debug)]
pub struct Part {
    form: fn(&str) -> String,
    texts: Vec<String>,
    /// Of other groups, each with a wanted text inside.
    longer: Vec<String>,
}

impl Part {
    /// Only this text, which has the form already.
    pub fn of(text: String, form: fn(&str) -> String) -> Self {
        Self {
            form,
            texts: vec![text],
            longer: Vec::new(),
        }
    }

    /// The wanted texts, in their form. Each text with the part has one of them.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether each text with a wanted one has the part.
    pub fn is_any(&self) -> bool {
        self.longer.is_empty()
    }

    /// Whether a text has the part.
    pub fn is_in(&self, text: &str) -> bool {
        let text = (self.form)(text);
        let is_inside = |at: usize, part: &str| {
            self.longer.iter().any(|longer| {
                let starts = places(longer, part).filter_map(|inside| at.checked_sub(inside));
                let mut starts = starts.map(|start| &text.as_bytes()[start..]);
                starts.any(|rest| rest.starts_with(longer.as_bytes()))
            })
        };
        let mut texts = self.texts.iter();
        texts.any(|part| places(&text, part).any(|at| !is_inside(at, part)))
    }
}

/// Where a text has this part, also where that overlaps with itself.
fn places(text: &str, part: &str) -> impl Iterator<Item = usize> {
    let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    starts.filter(move |at| text[*at..].starts_with(part))
}

/// Whether a text is empty, or has only white space and invisible characters.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// Whether a character is invisible: Unicode's Default_Ignorable_Code_Point, the interlinear annotations, the empty
/// braille pattern and the null notehead.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Unicode's Bidi_Control: characters that change the order in which others are displayed.
pub fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The bytes of the longest unknown name that is compared with known ones.
const LONGEST_NAME: usize = 64;

/// The known name closest to `name`, if one is close enough. Case, `_` and `-` are ignored: `min_rate` is `minRate`. If none
/// is, the one that shares most words with it, where the words of one are all among those of the other: `book_id` is `id`.
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    by_distance(name, known).or_else(|| by_words(name, known))
}

/// The known name closest to `name`, or else one of which all words of `name` are in its name or its description, most of
/// them in its name. Each known name has a description.
pub(super) fn nearest_described<'a>(name: &str, known: &[(&'a str, &str)]) -> Option<&'a str> {
    let names: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
    let by_description = || {
        let wanted = words(name);
        let is_about = |(known, description): &&(&str, &str)| {
            let of_known = [words(known), words(description)].concat();
            !wanted.is_empty() && wanted.iter().all(|word| of_known.contains(word))
        };
        let shared = |known: &str| words(known).iter().filter(|word| wanted.contains(word)).count();
        let about = known.iter().filter(is_about).map(|(known, _)| *known);
        about.rev().max_by_key(|known| shared(known))
    };
    nearest(name, &names).or_else(|| by_description().filter(|_| name.len() <= LONGEST_NAME))
}

/// The end of a sentence about an unknown name: the one that it is close to, or else all that are known.
pub(super) fn proposal(name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(meant) => format!(", did you mean `{meant}`?"),
        None if known.is_empty() => String::new(),
        None => format!(", known are {}", listed(known)),
    }
}

fn by_words<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let wanted = words(name);
    let near = known.iter().rev().filter_map(|known| {
        let others = words(known);
        let shared = others.iter().filter(|word| wanted.contains(word)).count();
        let is_part = shared > 0 && (shared == others.len() || shared == wanted.len());
        is_part.then_some((shared, *known))
    });
    near.max_by_key(|(shared, _)| *shared).map(|(_, known)| known)
}

/// The words of a name or a text, in lower case and without the `s` of a plural.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (was_lower && c.is_uppercase()) {
            words.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    let singular = words.iter().filter(|word| !word.is_empty());
    singular
        .map(|word| word.strip_suffix('s').unwrap_or(word).to_owned())
        .collect()
}

fn by_distance<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let meant = plain(name);
    let distance = |candidate: &&'a str| {
        let candidate = plain(candidate);
        let distance = strsim::damerau_levenshtein(&meant, &candidate);
        (distance <= meant.chars().count().max(candidate.chars().count()) / 3).then_some(distance)
    };
    known
        .iter()
        .filter_map(|candidate| Some((distance(candidate)?, *candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The end of the text about an unknown path: the path that it is closest to, if one is close enough. Each known path is a
/// base and what follows it, with parameters such as `:id`, which match any segment. The base may be left out. Of two equally
/// close paths, the one with fewer parameters is meant. None is below a base that is `unserved`.
pub fn did_you_mean(path: &str, known: &[(&str, &str)], unserved: Unserved) -> String {
    const LONGEST: usize = 100;
    if path.len() > LONGEST {
        return String::new();
    }
    let length = path.chars().count();
    let distance = |pattern: &str| {
        let candidate = with_parameters(pattern, path);
        let other = candidate.chars().count();
        // Skips candidates whose lengths differ too much.
        let is_near = |distance: &usize| distance * 3 <= length.max(other);
        let distance = Some(length.abs_diff(other)).filter(is_near);
        distance
            .map(|_| strsim::damerau_levenshtein(path, &candidate))
            .filter(is_near)
    };
    let served = known.iter().filter(|(base, _)| !unserved.has(base));
    let near = served.filter_map(|(base, rest)| {
        let whole = format!("{base}{rest}");
        let distance = distance(&whole).into_iter().chain(distance(rest)).min()?;
        Some((distance, whole))
    });
    let nearest = near.min_by_key(|(distance, path)| (*distance, path.matches(':').count()));
    nearest.map_or_else(String::new, |(_, path)| format!(", did you mean `{path}`?"))
}

/// A pattern with the segments of a path in place of its parameters.
fn with_parameters(pattern: &str, path: &str) -> String {
    let mut segments = path.split('/');
    let filled = pattern.split('/').map(|declared| {
        let segment = segments.next().filter(|segment| !segment.is_empty());
        segment.filter(|_| declared.starts_with(':')).unwrap_or(declared)
    });
    filled.collect::<Vec<_>>().join("/")
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

/// Decodes `%41` to `A`. `None` if a `%` is not followed by two hexadecimal digits, or the result is not UTF-8. `+`
/// stays `+`, as in a path.
pub fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.as_bytes().contains(&b'%') {
        return Some(Cow::Borrowed(text));
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => hexadecimal(bytes.next()?)? << 4 | hexadecimal(bytes.next()?)?,
            _ => byte,
        });
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

/// As [`percent_decode`], for names and values of a query, where `+` is a space.
pub fn query_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('+') {
        return percent_decode(text);
    }
    percent_decode(&text.replace('+', " ")).map(|decoded| Cow::Owned(decoded.into_owned()))
}

fn hexadecimal(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// A name that a caller sent, safe for an error text: at most 40 characters, none of them unprintable.
pub(super) fn shortened(name: &str) -> String {
    const SHOWN: usize = 40;
    let printable = |c: char| {
        if c.is_control() || c == '`' {
            char::REPLACEMENT_CHARACTER
        } else {
            c
        }
    };
    let mut displayed: String = name.chars().take(SHOWN).map(printable).collect();
    if name.chars().nth(SHOWN).is_some() {
        displayed.push('…');
    }
    displayed
}

/// Names for a sentence: `` `a`, `b` ``.
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_found_under_other_names_and_not_inside_of_a_longer_one() {
        let names = Synonyms::new(
            &[&["東京都", "Tokyo"], &["京都府", "京都", "Kyoto"], &["aba"], &["xab"]],
            fold,
        );
        for (part, text, expected) in [
            ("Kyoto", "京都市中京区", true),
            ("京都", "ＫＹＯＴＯ Station", true),
            ("Kyoto", "東京都港区", false),
            ("京都", "東京都港区", false),
            ("京都", "東京都から京都へ", true),
            ("TOKYO", "東京都港区", true),
            ("東京", "東京都港区", true),
            ("都", "東京都港区", true),
            ("Kyot", "京都市", false),
            ("Kyot", "Kyoto", true),
            // The second one begins within the first.
            ("aba", "xababa", true),
            ("aba", "xab aba", true),
            ("", "", true),
        ] {
            assert_eq!(names.part(part).is_in(text), expected, "{part} in {text}");
        }
    }

    #[test]
    fn an_unknown_path_is_that_of_a_known_one() {
        let known = [
            ("/api/v1", "/humans"),
            ("/api/v1", "/humans/:id"),
            ("/api/v1", "/humans/import"),
            ("/worker/v1", "/me"),
        ];
        let check = |path: &str, expected: Option<&str>| {
            let expected = expected.map_or_else(String::new, |path| format!(", did you mean `{path}`?"));
            assert_eq!(did_you_mean(path, &known, Unserved::default()), expected, "{path}");
        };
        check("/api/v1/human", Some("/api/v1/humans"));
        check("/api/v1/humans/", Some("/api/v1/humans"));
        check("/humans/7", Some("/api/v1/humans/:id"));
        check("/api/v2/humans/a%20b", Some("/api/v1/humans/:id"));
        check("/api/v1/humans/import/", Some("/api/v1/humans/import"));
        check("/worker/me", Some("/worker/v1/me"));
        check("/", None);
        check("/favicon.ico", None);
        check(&format!("/api/v1/humans/{}/", "x".repeat(100)), None);
        assert_eq!(did_you_mean("/worker/me", &known, Unserved(&[&["/worker/v1"]])), "");
    }

    #[test]
    fn texts_that_read_the_same_fold_to_the_same() {
        for (a, b) in [
            ("ＯＳＡＫＡ", "Osaka"),
            ("Straße", "STRASSE"),
            ("ｶﾞｲﾄﾞ", "ガイド"),
            ("か\u{3099}", "が"),
            ("東京\u{3000}都", "東京 都"),
        ] {
            assert_eq!(fold(a), fold(b), "{a:?} {b:?}");
        }
        assert_ne!(fold("か"), fold("が"));
        assert_ne!(fold("web  design"), fold("web design"), "nothing is trimmed");
    }

    #[test]
    fn folding_twice_changes_nothing_more() {
        // All scripts with cases or compatibility forms. In between are only ideographs and syllables with one form.
        for c in ('\0'..='\u{33ff}')
            .chain('\u{a000}'..='\u{abff}')
            .chain('\u{f900}'..='\u{1ffff}')
        {
            let once = fold(&format!("a{c}b"));
            assert_eq!(fold(&once), once, "{c:?}");
        }
    }

    #[test]
    fn a_name_is_found_by_a_slip_of_it_only() {
        let known = ["skill", "state", "minRate", "maxRate", "limit", "id"];
        for (name, meant) in [
            ("min_rate", Some("minRate")),
            ("MAXRATE", Some("maxRate")),
            ("max-rates", Some("maxRate")),
            ("limt", Some("limit")),
            ("sikll", Some("skill")),
            ("page", None),
            ("no", None),
            ("", None),
            ("_", None),
        ] {
            assert_eq!(nearest(name, &known), meant, "{name}");
        }
        assert_eq!(nearest(&"limit".repeat(100_000), &known), None);
    }

    #[test]
    fn a_name_is_found_by_its_words() {
        let known = ["id", "appId", "minRate", "is_available"];
        for (name, meant) in [
            ("bounty_id", Some("id")),
            ("application_id", Some("id")),
            ("app_ids", Some("appId")),
            ("min_hourly_rate", Some("minRate")),
            ("rates", Some("minRate")),
            ("available", Some("is_available")),
            ("identity", None),
            ("hourly_pay", None),
        ] {
            assert_eq!(nearest(name, &known), meant, "{name}");
        }
        assert_eq!(proposal("book_id", &known), ", did you mean `id`?");
        assert_eq!(proposal("page", &["id", "limit"]), ", known are `id`, `limit`");
        assert_eq!(proposal("page", &[]), "");
    }

    #[test]
    fn a_described_name_is_found_by_the_words_of_its_description() {
        let known = [
            ("list_humans", "Search the workers."),
            ("list_skills", "List the skills that workers have."),
            ("get_human", "Read the profile of a worker."),
        ];
        for (name, meant) in [
            ("search_workers", Some("list_humans")),
            ("getWorker", Some("get_human")),
            ("worker_skills", Some("list_skills")),
            ("list_humanz", Some("list_humans")),
            ("hire_worker", None),
            ("", None),
        ] {
            assert_eq!(nearest_described(name, &known), meant, "{name}");
        }
    }

    #[test]
    fn without_known_names_none_is_near() {
        assert_eq!(nearest("limit", &[]), None);
    }

    #[test]
    fn percent_encoding_is_undone_strictly() {
        for (text, decoded) in [
            ("a+b", Some("a+b")),
            ("%E6%9d%b1", Some("東")),
            ("%2541", Some("%41")),
            ("%", None),
            ("%4", None),
            ("%+1", None),
            ("%é1", None),
            ("%ff", None),
            ("%ed%a0%80", None),
        ] {
            assert_eq!(percent_decode(text).as_deref(), decoded, "{text}");
        }
        assert_eq!(query_decode("a+b%2B").as_deref(), Some("a b+"));
    }
}
