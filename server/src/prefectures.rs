//! The 47 prefectures of Japan and their common names.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::support::text::{fold, nearest};

/// The names of each prefecture, as the contract lists them: the first one is written on an envelope.
const PREFECTURES: &[&[&str]] = contract::synonyms::HUMAN_STATE;

/// Every name, normalized by [`plain`], with its prefecture: the name in Latin letters, and all names.
static NAMES: LazyLock<BTreeMap<String, (String, &[&str])>> = LazyLock::new(|| {
    let names = PREFECTURES.iter().flat_map(|names| {
        let latin = fold(latin(names));
        names
            .iter()
            .map(move |name| (plain(&fold(name)), (latin.clone(), *names)))
    });
    names.collect()
});

/// The name in Latin letters.
fn latin<'n>(names: &[&'n str]) -> &'n str {
    let mut latin = names.iter().filter(|name| name.is_ascii());
    latin.next().expect("each prefecture has a name in Latin letters")
}

/// The canonical name for a common name of a prefecture; `None` for any other text. Takes a folded text.
pub(crate) fn canonical(folded: &str) -> Option<&'static str> {
    NAMES.get(&plain(folded)).map(|(latin, _)| latin.as_str())
}

/// The prefecture closest to a text that names none, as `東京都 (Tokyo)`, if one is close enough.
pub(crate) fn meant(text: &str) -> Option<String> {
    let known: Vec<&str> = NAMES.keys().map(String::as_str).collect();
    let (_, names) = &NAMES[nearest(&plain(&fold(text)), &known)?];
    Some(format!("{} ({})", names.first()?, latin(names)))
}

/// Removes the marks of long vowels and replaces hyphens by spaces.
fn plain(folded: &str) -> String {
    let plain = |letter| match letter {
        'ā' | 'â' => 'a',
        'ī' | 'î' => 'i',
        'ū' | 'û' => 'u',
        'ē' | 'ê' => 'e',
        'ō' | 'ô' => 'o',
        '-' | '\u{2010}' => ' ',
        other => other,
    };
    folded.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], expected: Option<&str>) {
        for name in names {
            assert_eq!(canonical(&fold(name)), expected, "{name}");
        }
    }

    #[test]
    fn usual_names_of_a_prefecture_are_one() {
        check(
            &["東京都", "東京", "Tokyo", "Tokyo-to", "TŌKYŌ", "Ｔｏｋｙｏ　Ｔｏ"],
            Some("tokyo"),
        );
        check(
            &["大阪府", "大阪", "Osaka", "Ōsaka-fu", "Osaka Prefecture"],
            Some("osaka"),
        );
        check(&["京都府", "京都", "Kyoto", "Kyōto-fu"], Some("kyoto"));
        check(&["北海道", "Hokkaido", "Hokkaidō"], Some("hokkaido"));
        check(&["大分県", "Ōita", "Oita-ken"], Some("oita"));
    }

    #[test]
    fn endings_are_not_guessed() {
        check(
            &[
                "京",
                "北海",
                "東京府",
                "大阪都",
                "Tokyo-fu",
                "Osaka-to",
                "Hokkai",
                "",
                "県",
            ],
            None,
        );
        check(&["California", "東京都港区"], None);
    }

    #[test]
    fn a_name_that_is_close_is_meant() {
        for (text, expected) in [
            ("Tokio", Some("東京都 (Tokyo)")),
            ("神奈川懸", Some("神奈川県 (Kanagawa)")),
            ("Kanagwa Prefecture", Some("神奈川県 (Kanagawa)")),
            ("California", None),
            ("", None),
        ] {
            assert_eq!(meant(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn no_two_prefectures_share_a_name() {
        let distinct: std::collections::HashSet<_> = NAMES.values().collect();
        assert_eq!(distinct.len(), 47);
        // Five common names each, less the two that 北海道 lacks, plus one of Tokyo.
        assert_eq!(NAMES.len(), 47 * 5 - 2 + 1);
    }
}
