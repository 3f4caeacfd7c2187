//! The 47 prefectures of Japan and their common names.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::support::text::{fold, nearest};

/// Each prefecture: its name without the suffix, the suffix, and both in Latin letters. 北海道 has no name without the
/// suffix; the 都 of 京都 is not a suffix.
const PREFECTURES: [(&str, &str, &str, &str); 47] = [
    ("北海道", "", "hokkaido", ""),
    ("青森", "県", "aomori", "ken"),
    ("岩手", "県", "iwate", "ken"),
    ("宮城", "県", "miyagi", "ken"),
    ("秋田", "県", "akita", "ken"),
    ("山形", "県", "yamagata", "ken"),
    ("福島", "県", "fukushima", "ken"),
    ("茨城", "県", "ibaraki", "ken"),
    ("栃木", "県", "tochigi", "ken"),
    ("群馬", "県", "gunma", "ken"),
    ("埼玉", "県", "saitama", "ken"),
    ("千葉", "県", "chiba", "ken"),
    ("東京", "都", "tokyo", "to"),
    ("神奈川", "県", "kanagawa", "ken"),
    ("新潟", "県", "niigata", "ken"),
    ("富山", "県", "toyama", "ken"),
    ("石川", "県", "ishikawa", "ken"),
    ("福井", "県", "fukui", "ken"),
    ("山梨", "県", "yamanashi", "ken"),
    ("長野", "県", "nagano", "ken"),
    ("岐阜", "県", "gifu", "ken"),
    ("静岡", "県", "shizuoka", "ken"),
    ("愛知", "県", "aichi", "ken"),
    ("三重", "県", "mie", "ken"),
    ("滋賀", "県", "shiga", "ken"),
    ("京都", "府", "kyoto", "fu"),
    ("大阪", "府", "osaka", "fu"),
    ("兵庫", "県", "hyogo", "ken"),
    ("奈良", "県", "nara", "ken"),
    ("和歌山", "県", "wakayama", "ken"),
    ("鳥取", "県", "tottori", "ken"),
    ("島根", "県", "shimane", "ken"),
    ("岡山", "県", "okayama", "ken"),
    ("広島", "県", "hiroshima", "ken"),
    ("山口", "県", "yamaguchi", "ken"),
    ("徳島", "県", "tokushima", "ken"),
    ("香川", "県", "kagawa", "ken"),
    ("愛媛", "県", "ehime", "ken"),
    ("高知", "県", "kochi", "ken"),
    ("福岡", "県", "fukuoka", "ken"),
    ("佐賀", "県", "saga", "ken"),
    ("長崎", "県", "nagasaki", "ken"),
    ("熊本", "県", "kumamoto", "ken"),
    ("大分", "県", "oita", "ken"),
    ("宮崎", "県", "miyazaki", "ken"),
    ("鹿児島", "県", "kagoshima", "ken"),
    ("沖縄", "県", "okinawa", "ken"),
];

/// Every common name, normalized by [`plain`], with the canonical name of its prefecture.
static NAMES: LazyLock<BTreeMap<String, &'static str>> = LazyLock::new(|| {
    let names = PREFECTURES.iter().flat_map(|(name, ending, latin, latin_ending)| {
        let usual = [
            (*name).to_owned(),
            format!("{name}{ending}"),
            (*latin).to_owned(),
            format!("{latin} {latin_ending}"),
            format!("{latin} prefecture"),
        ];
        usual.map(|usual| (usual, *latin))
    });
    names.chain([("tokyo metropolis".to_owned(), "tokyo")]).collect()
});

/// The canonical name for a common name of a prefecture; `None` for any other text. Takes a folded text.
pub(crate) fn canonical(folded: &str) -> Option<&'static str> {
    NAMES.get(&plain(folded)).copied()
}

/// The prefecture closest to a text that names none, as `東京都 (Tokyo)`, if one is close enough.
pub(crate) fn meant(text: &str) -> Option<String> {
    let known: Vec<&str> = NAMES.keys().map(String::as_str).collect();
    let meant = NAMES[nearest(&plain(&fold(text)), &known)?];
    let found = PREFECTURES.iter().find(|(_, _, latin, _)| *latin == meant);
    found.map(|(name, ending, latin, _)| format!("{name}{ending} ({}{})", latin[..1].to_uppercase(), &latin[1..]))
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
        assert_eq!(NAMES.len(), 47 * 5 - 1 + 1);
    }
}
