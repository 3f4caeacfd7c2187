//! What somebody writes about themselves: a headline, and a bio, which may be two words or ten sentences.

use std::sync::LazyLock;

use super::dice::Dice;
use super::grammar::{Line, Sections, Speech};
use super::person::Person;

/// What anybody may write in Japanese.
pub(super) static JAPANESE: LazyLock<Sections> = LazyLock::new(|| Sections::read(include_str!("words/ja.txt")));
/// What anybody may write in English.
pub(super) static ENGLISH: LazyLock<Sections> = LazyLock::new(|| Sections::read(include_str!("words/en.txt")));

/// A headline, other ones each time.
pub(super) fn headline(person: &Person, dice: &mut Dice) -> String {
    let mut speech = Speech::of(person);
    let lines = own_or_common(person, dice, "headline", 45);
    let said = speech.say_one_of(dice, lines);
    let said = said.or_else(|| speech.say_one_of(dice, person.common_words().of("headline")));
    let headline = said.expect("some headlines are for everybody");
    if person.writes_english {
        sentence_case(&headline)
    } else {
        headline
    }
}

/// A bio, another one each time.
pub(super) fn bio(person: &Person, dice: &mut Dice) -> String {
    match person.writes_english {
        true => {
            let sentences = sentences(person, dice);
            let sentences = sentences.into_iter().map(|sentence| sentence_case(&sentence));
            joined(dice, sentences.collect(), " ")
        }
        false if dice.chance(15) => notes(person, dice),
        false => {
            let mut sentences = sentences(person, dice);
            if person.is("bright") {
                brighten(person, dice, &mut sentences);
            }
            joined(dice, sentences, "")
        }
    }
}

fn own_or_common(person: &Person, dice: &mut Dice, section: &str, own_percent: usize) -> &'static [Line] {
    let own = dice.chance(own_percent);
    let words = if own { person.own_words() } else { person.common_words() };
    words.of(section)
}

/// How long a bio is to be: how often each part of it is there, in percent.
struct Length {
    greeting: usize,
    details: (usize, usize),
    /// Where, by what means, and when they work.
    around: usize,
    /// Who they are beside that, and how they work.
    themselves: usize,
    closing: usize,
}

const LENGTHS: [(usize, Length); 3] = [
    (
        22,
        Length {
            greeting: 4,
            details: (0, 1),
            around: 22,
            themselves: 10,
            closing: 30,
        },
    ),
    (
        48,
        Length {
            greeting: 12,
            details: (1, 2),
            around: 40,
            themselves: 24,
            closing: 40,
        },
    ),
    (
        30,
        Length {
            greeting: 30,
            details: (2, 4),
            around: 62,
            themselves: 48,
            closing: 66,
        },
    ),
];

/// Sentences that could follow one another.
fn sentences(person: &Person, dice: &mut Dice) -> Vec<String> {
    let length = &dice.weighted(&LENGTHS, |length| length.0).1;
    let mut speech = Speech::of(person);
    let mut said = Vec::new();
    if dice.chance(length.greeting) {
        said.extend(speech.say(dice, "greeting"));
    }
    let openings = own_or_common(person, dice, "opening", 52);
    let opening = speech.say_one_of(dice, openings);
    said.extend(opening.or_else(|| speech.say_one_of(dice, person.common_words().of("opening"))));
    if dice.chance(length.themselves) {
        said.extend(speech.say(dice, "past"));
    }
    let mut work: Vec<String> = Vec::new();
    for _ in 0..dice.between(length.details.0, length.details.1) {
        work.extend(speech.say(dice, "detail"));
    }
    let mut around = Vec::new();
    for section in ["place", "means", "time"] {
        if dice.chance(length.around) {
            around.extend(speech.say(dice, section));
        }
    }
    let mut personal = Vec::new();
    for section in ["home", "aside"] {
        if dice.chance(length.themselves) {
            personal.extend(speech.say(dice, section));
        }
    }
    let mut manner = Vec::new();
    if dice.chance(length.around) {
        manner.extend(speech.say(dice, "manner"));
    }
    for (section, percent) in [("agents", 4), ("story", 9)] {
        if dice.chance(percent) {
            manner.extend(speech.say(dice, section));
        }
    }
    match dice.below(10) {
        0..6 => said.extend([work, around, manner, personal].concat()),
        6..8 => said.extend([around, work, personal, manner].concat()),
        _ => said.extend([personal, work, manner, around].concat()),
    }
    // An opening alone is too little to go by.
    if said.len() < 2 {
        said.extend(speech.say(dice, "detail"));
    }
    if dice.chance(length.closing) {
        said.extend(speech.say(dice, "closing"));
    }
    said
}

/// For those who write no sentences.
fn notes(person: &Person, dice: &mut Dice) -> String {
    let mut speech = Speech::of(person);
    let mut said = Vec::new();
    for _ in 0..dice.between(2, 4) {
        said.extend(speech.say(dice, "note"));
    }
    for section in ["note_place", "note_means", "note_time", "note_more", "note_more"] {
        if dice.chance(55) {
            let place = dice.below(said.len() + 1);
            said.splice(place..place, speech.say(dice, section));
        }
    }
    match dice.below(4) {
        0 => said
            .iter()
            .map(|note| format!("・{note}"))
            .collect::<Vec<_>>()
            .join("\n"),
        1 => said.join("／"),
        _ => format!("{}。", said.join("。")),
    }
}

/// Exclamation marks, and at the end something that smiles.
fn brighten(person: &Person, dice: &mut Dice, sentences: &mut [String]) {
    for sentence in sentences.iter_mut() {
        if sentence.ends_with("ます。") && dice.chance(34) {
            sentence.truncate(sentence.len() - "。".len());
            sentence.push('！');
        }
    }
    if let Some(last) = sentences.last_mut()
        && dice.chance(36)
    {
        let end = last.trim_end_matches('。').len();
        last.truncate(end);
        last.extend(Speech::of(person).say(dice, "smile"));
    }
}

/// One paragraph, or for some who have more to say three.
fn joined(dice: &mut Dice, sentences: Vec<String>, between: &str) -> String {
    if sentences.len() < 5 || dice.chance(70) {
        return sentences.join(between);
    }
    let second = dice.between(1, 2);
    let third = dice.between(sentences.len() - 2, sentences.len() - 1);
    let paragraphs = [&sentences[..second], &sentences[second..third], &sentences[third..]];
    paragraphs.map(|paragraph| paragraph.join(between)).join("\n")
}

/// With a capital letter where a sentence begins.
fn sentence_case(text: &str) -> String {
    let mut cased = String::with_capacity(text.len());
    let (mut begins, mut before) = (true, ' ');
    for letter in text.chars() {
        if begins && letter.is_alphanumeric() {
            cased.extend(letter.to_uppercase());
            begins = false;
        } else {
            cased.push(letter);
        }
        begins |= letter == ' ' && matches!(before, '.' | '?' | '!');
        before = letter;
    }
    cased
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_with_a_capital() {
        assert_eq!(
            sentence_case("a tailor. need more? (ask) a b"),
            "A tailor. Need more? (Ask) a b"
        );
        assert_eq!(sentence_case("3D prints"), "3D prints");
    }
}
