//! Made-up workers and searches for them. The same number or seed always gives the same ones.

use contract::{Gender, Number};
use hitode::search::{Profile, Query};

/// The most frequent one first.
const PREFECTURES: &str = "東京都 大阪府 神奈川県 愛知県 埼玉県 千葉県 兵庫県 北海道 福岡県 静岡県 茨城県 広島県 \
    京都府 青森県 岩手県 宮城県 秋田県 山形県 福島県 栃木県 群馬県 新潟県 富山県 石川県 \
    福井県 山梨県 長野県 岐阜県 三重県 滋賀県 奈良県 和歌山県 鳥取県 島根県 岡山県 山口県 \
    徳島県 香川県 愛媛県 高知県 佐賀県 長崎県 熊本県 大分県 宮崎県 鹿児島県 沖縄県";
const STATES: u64 = 47;
const SKILLS: u64 = 500;
const GENDERS: [Gender; 3] = [Gender::Female, Gender::Male, Gender::Other];

/// Adds a condition with random values.
pub(crate) type Condition = fn(&mut Query, &mut Dice);

/// The kinds of searches: conditions, and the offset.
pub(crate) const SHAPES: [(&str, &[Condition], usize); 15] = [
    ("all", &[], 0),
    ("all, from 1,000", &[], 1_000),
    ("all, from 100,000", &[], 100_000),
    ("state", &[state], 0),
    ("state, from 1,000", &[state], 1_000),
    ("gender", &[gender], 0),
    ("lowest rate", &[lowest], 0),
    ("rates, from 100,000", &[lowest, highest], 100_000),
    ("skill", &[skill], 0),
    ("frequent skill", &[frequent_skill], 0),
    ("skill, state", &[skill, state], 0),
    ("skill, rates", &[skill, lowest, highest], 0),
    ("state, gender, rates", &[state, gender, lowest, highest], 0),
    (
        "frequent skill, rates, from 1,000",
        &[frequent_skill, lowest, highest],
        1_000,
    ),
    (
        "skill, state, gender, rates",
        &[skill, state, gender, lowest, highest],
        0,
    ),
];

fn state(query: &mut Query, dice: &mut Dice) {
    query.state = Some(prefecture(dice));
}

fn gender(query: &mut Query, dice: &mut Dice) {
    query.gender = Some(GENDERS[dice.roll(3) as usize]);
}

fn lowest(query: &mut Query, dice: &mut Dice) {
    query.min_rate = Some(hundredths(90_000 + 100 * dice.roll(2_000)));
}

fn highest(query: &mut Query, dice: &mut Dice) {
    query.max_rate = Some(hundredths(290_000 + 100 * dice.roll(3_000)));
}

fn skill(query: &mut Query, dice: &mut Dice) {
    query.skill = Some(skill_name(dice.rank(SKILLS)));
}

fn frequent_skill(query: &mut Query, dice: &mut Dice) {
    query.skill = Some(skill_name(dice.roll(5)));
}

/// Pseudo-random numbers (SplitMix64), the same for each seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.next() % sides
    }

    /// A number below `ranks`, `n` with a frequency of about `1 / (n + 1)` (Zipf's law).
    fn rank(&mut self, ranks: u64) -> u64 {
        let share = self.roll(1 << 32) as f64 / (1_u64 << 32) as f64;
        ((ranks as f64 + 1.0).powf(share) - 1.0) as u64
    }
}

fn prefecture(dice: &mut Dice) -> String {
    let name = PREFECTURES.split(' ').nth(dice.rank(STATES) as usize);
    name.expect("there are so many").to_owned()
}

fn skill_name(number: u64) -> String {
    format!("skill {number}")
}

pub(crate) fn hundredths(number: u64) -> Number {
    Number::new(number as f64 / 100.0).expect("finite")
}

/// A worker, the same at every call.
pub(crate) fn profile(number: u64) -> Profile {
    let mut dice = Dice(number << 8);
    // A third are not rated yet. The others have ratings around 4.
    let rating = dice.roll(3).min(1) * (300 + dice.roll(101) + dice.roll(101));
    Profile {
        state: prefecture(&mut dice),
        gender: GENDERS[dice.roll(3) as usize],
        rate: hundredths(90_000 + dice.roll(300_000) + dice.roll(300_000)),
        rating: hundredths(rating),
        is_available: dice.roll(10) > 0,
        is_listed: true,
        skills: (0..1 + dice.roll(8)).map(|_| skill_name(dice.rank(SKILLS))).collect(),
    }
}

pub(crate) fn query(conditions: &[Condition], dice: &mut Dice) -> Query {
    let mut query = Query::default();
    conditions.iter().for_each(|condition| condition(&mut query, dice));
    query
}
