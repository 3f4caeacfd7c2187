//! What the demo's workers do for a living, and how people who do it write about themselves.
//!
//! In the texts `{city}` and `{prefecture}` stand for where a worker lives, and `{years}` for how long
//! they have done it.

mod field;
mod hands;
mod heads;

/// A kind of worker.
#[derive(Debug)]
pub(super) struct Calling {
    /// How common it is.
    pub(super) weight: usize,
    /// Their skills: the first one all of them have, a later one is rarer.
    pub(super) skills: &'static [&'static str],
    /// Yen an hour, from and to.
    pub(super) rate: (usize, usize),
    /// How most of them write.
    pub(super) japanese: Words,
    /// How those write who look for customers from abroad.
    pub(super) english: Words,
}

/// Sentences to make a profile of, one from each list.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) headlines: &'static [&'static str],
    pub(super) openings: &'static [&'static str],
    pub(super) details: &'static [&'static str],
}

/// All callings there are.
pub(super) fn all() -> Vec<&'static Calling> {
    hands::CALLINGS
        .iter()
        .chain(&field::CALLINGS)
        .chain(&heads::CALLINGS)
        .collect()
}

/// How a profile in Japanese ends.
pub(super) const JAPANESE_CLOSINGS: [&str; 14] = [
    "平日の日中に動けます。",
    "土日祝も対応できますので、お気軽にご相談ください。",
    "返信は当日中を心がけています。",
    "まずはメッセージをください。できること、できないことを正直にお伝えします。",
    "作業後は写真付きでご報告します。",
    "領収書の発行もできます。",
    "急なご依頼も、空いていれば喜んで伺います。",
    "少し遠くても、交通費をいただければ伺います。",
    "子どもが学校に行っている9時から14時までが動きやすい時間です。",
    "夜間・早朝の依頼も歓迎です。",
    "守秘義務のある案件も経験があります。",
    "見積もりは無料です。",
    "AIからの依頼は初めてですが、楽しみにしています。",
    "丁寧に、時間どおりに。それだけは約束します。",
];

/// How a profile in English ends.
pub(super) const ENGLISH_CLOSINGS: [&str; 9] = [
    "I answer messages the same day.",
    "Weekends are fine, and I send photos when the job is done.",
    "Tell me what you need and I will tell you honestly whether I can do it.",
    "A longer way is fine when the fare is covered.",
    "Receipts on request.",
    "Happy to take instructions from an AI, as long as they are clear.",
    "Short notice is usually no problem.",
    "Please include the address and a time window in your first message.",
    "Available on weekdays until four, later by arrangement.",
];
