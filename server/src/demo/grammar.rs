//! Texts that come out different each time: how the files under `words/` are read, and how a line of them is spoken.
//!
//! A file has sections, each headed by its name in brackets. A line of a section is one way to say it:
//!
//! ```text
//! @car @!young 3 {area}から[車で|{car}で]伺います。
//! ```
//!
//! In front may stand traits that the person must have (`@`) or must not have (`@!`), then how often the line is chosen
//! beside the others (1 where nothing stands). In the text, `[a|b|]` is one of its branches, and `{name}` a fact about
//! the person, or, where there is no such fact, a line of the section `name`. A line that asks for a fact that not
//! everybody has is only for those who have it. Lines that begin with `#`, and empty ones, say nothing.
//!
//! Knows nothing of what the texts are about.

use std::collections::HashMap;

use super::dice::Dice;
use super::traits::Traits;

/// A piece of a line.
#[derive(Debug)]
enum Piece {
    Text(&'static str),
    Slot(&'static str),
    Choice(Vec<Vec<Piece>>),
}

/// One way to say something.
#[derive(Debug)]
pub(super) struct Line {
    needs: Traits,
    bars: Traits,
    /// What it gives away, and what need not be said again.
    tells: Traits,
    weight: usize,
    pieces: Vec<Piece>,
}

/// The ways to say something, by what it is about.
#[derive(Debug, Default)]
pub(super) struct Sections {
    by_name: HashMap<&'static str, Vec<Line>>,
}

/// Slots that only some people can fill, and the trait of those.
const HELD: [(&str, &str); 4] = [
    ("years", "years"),
    ("former", "former"),
    ("car", "car"),
    ("origin", "mover"),
];

/// How many times more often a line is chosen that was written for somebody's very tone.
const IN_TONE: usize = 4;

impl Sections {
    /// Reads a file of sections.
    ///
    /// # Panics
    /// When the text is not well formed: it is part of the program.
    pub(super) fn read(text: &'static str) -> Sections {
        let mut sections = Sections::default();
        let mut name = "";
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match heading(line) {
                Some(heading) => name = heading,
                None => sections.by_name.entry(name).or_default().push(Line::read(line)),
            }
        }
        sections
    }

    /// Those whose names begin with `prefix`, without it; the others stay.
    pub(super) fn split_off(&mut self, prefix: &str) -> Sections {
        let taken: Vec<_> = self.by_name.extract_if(|name, _| name.starts_with(prefix)).collect();
        let by_name = taken.into_iter().map(|(name, lines)| (&name[prefix.len()..], lines));
        Sections {
            by_name: by_name.collect(),
        }
    }

    /// The lines of a section, of which there are none if there is no such section.
    pub(super) fn of(&self, name: &str) -> &[Line] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Somebody who speaks lines: it is known what is true of them.
pub(super) trait Speaker {
    /// What is true.
    fn traits(&self) -> Traits;
    /// How they write; these are among [`Self::traits`].
    fn tone(&self) -> Traits;
    /// A fact that they can tell.
    fn fact(&self, name: &str) -> Option<&str>;
    /// The lines of a section, where the slot `name` is no fact.
    fn lines(&self, name: &str) -> &[Line];
}

/// Speaks for somebody and says no line twice, nor any of the facts that only some people have.
pub(super) struct Speech<'a, S> {
    speaker: &'a S,
    said: Vec<*const Line>,
    told: Traits,
}

impl<'a, S: Speaker> Speech<'a, S> {
    pub(super) fn of(speaker: &'a S) -> Self {
        Speech {
            speaker,
            said: Vec::new(),
            told: Traits::NONE,
        }
    }

    /// A line of the section `name` that fits the speaker and was not said yet; `None` when there is none left.
    pub(super) fn say(&mut self, dice: &mut Dice, name: &str) -> Option<String> {
        self.say_one_of(dice, self.speaker.lines(name))
    }

    /// Likewise, one of `lines`.
    pub(super) fn say_one_of(&mut self, dice: &mut Dice, lines: &'a [Line]) -> Option<String> {
        let (traits, tone) = (self.speaker.traits(), self.speaker.tone());
        let is_news = |line: &Line| !self.said.contains(&std::ptr::from_ref(line)) && !self.told.have_any(line.tells);
        let weight = |line: &Line| match line.fits(traits) && is_news(line) {
            true if line.needs.have_any(tone) => line.weight * IN_TONE,
            true => line.weight,
            false => 0,
        };
        let line = dice.try_weighted(lines, weight)?;
        self.said.push(line);
        self.told = self.told | line.tells;
        let mut text = String::new();
        self.speak(dice, &line.pieces, &mut text);
        Some(text)
    }

    /// As [`Self::say`], where everything was said already.
    fn repeat(&self, dice: &mut Dice, name: &str) -> Option<String> {
        Speech::of(self.speaker).say(dice, name)
    }

    fn speak(&mut self, dice: &mut Dice, pieces: &'a [Piece], text: &mut String) {
        for piece in pieces {
            match piece {
                Piece::Text(said) => text.push_str(said),
                Piece::Choice(branches) => {
                    let branch = dice.pick(branches);
                    self.speak(dice, branch, text);
                }
                Piece::Slot(name) => match self.speaker.fact(name) {
                    Some(fact) => text.push_str(fact),
                    None => text.push_str(
                        &self
                            .say(dice, name)
                            .or_else(|| self.repeat(dice, name))
                            .unwrap_or_default(),
                    ),
                },
            }
        }
    }
}

impl Line {
    fn read(line: &'static str) -> Line {
        let (mut needs, mut bars, mut rest) = (Traits::NONE, Traits::NONE, line);
        while let Some((word, after)) = rest.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            match word.strip_prefix('!') {
                Some(name) => bars = bars | Traits::named(name),
                None => needs = needs | Traits::named(word),
            }
            rest = after;
        }
        let mut weight = 1;
        if let Some((number, after)) = rest.split_once(' ')
            && let Ok(number) = number.parse()
        {
            (weight, rest) = (number, after);
        }
        let held = HELD.iter().filter(|(slot, _)| rest.contains(&format!("{{{slot}}}")));
        let tells = held.map(|(_, name)| Traits::named(name)).collect();
        let mut left = rest;
        let pieces = pieces(&mut left);
        assert!(left.is_empty(), "a bracket too many in `{line}`");
        Line {
            needs: needs | tells,
            bars,
            tells,
            weight,
            pieces,
        }
    }

    fn fits(&self, traits: Traits) -> bool {
        traits.have(self.needs) && !traits.have_any(self.bars)
    }
}

fn heading(line: &'static str) -> Option<&'static str> {
    let name = line.strip_prefix('[')?.strip_suffix(']')?;
    name.chars()
        .all(|c| c.is_ascii_lowercase() || matches!(c, '.' | '_'))
        .then_some(name)
}

/// Reads pieces up to the end of `text`, or of the branch that it begins with.
fn pieces(text: &mut &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    while let Some(place) = text.find(['[', '{', '|', ']']) {
        let (before, rest) = text.split_at(place);
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        *text = rest;
        match rest.as_bytes()[0] {
            b'[' => pieces.push(choice(text)),
            b'{' => {
                let (slot, rest) = rest[1..].split_once('}').expect("a slot is closed");
                pieces.push(Piece::Slot(slot));
                *text = rest;
            }
            _ => return pieces,
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
        *text = "";
    }
    pieces
}

fn choice(text: &mut &'static str) -> Piece {
    let mut branches = Vec::new();
    loop {
        // Here stands a `[` or a `|`.
        *text = &text[1..];
        branches.push(pieces(text));
        match text.as_bytes().first() {
            Some(b'|') => {}
            Some(b']') => break,
            _ => panic!("a choice is not closed: {branches:?}"),
        }
    }
    *text = &text[1..];
    Piece::Choice(branches)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Sections {
        /// The name of every slot in them.
        pub(in super::super) fn slots(&self) -> Vec<&'static str> {
            fn of(pieces: &[Piece], found: &mut Vec<&'static str>) {
                for piece in pieces {
                    match piece {
                        Piece::Text(_) => {}
                        Piece::Slot(name) => found.push(name),
                        Piece::Choice(branches) => branches.iter().for_each(|branch| of(branch, found)),
                    }
                }
            }
            let mut found = Vec::new();
            self.by_name
                .values()
                .flatten()
                .for_each(|line| of(&line.pieces, &mut found));
            found
        }
    }

    struct Somebody(Traits, Sections);

    impl Speaker for Somebody {
        fn traits(&self) -> Traits {
            self.0
        }
        fn tone(&self) -> Traits {
            Traits::NONE
        }
        fn fact(&self, name: &str) -> Option<&str> {
            (name == "city").then_some("Nara")
        }
        fn lines(&self, name: &str) -> &[Line] {
            self.1.of(name)
        }
    }

    /// All that somebody with these traits says, line after line, until nothing is left.
    #[track_caller]
    fn check(text: &'static str, traits: &str, expected: &[&str]) {
        let traits = traits.split_whitespace().map(Traits::named).collect();
        let somebody = Somebody(traits, Sections::read(text));
        let (mut dice, mut speech) = (Dice::new(1), Speech::of(&somebody));
        let mut said: Vec<_> = std::iter::from_fn(|| speech.say(&mut dice, "a")).collect();
        said.sort();
        assert_eq!(said, expected);
    }

    #[test]
    fn a_line_is_for_those_of_whom_it_is_true() {
        let text = "[a]\nall\n@f 3 she\n@!f he\n@f @car both\nby {car}\n[car]\nvan";
        check(text, "", &["all", "he"]);
        check(text, "f", &["all", "she"]);
        check(text, "f car", &["all", "both", "by van", "she"]);
    }

    #[test]
    fn what_was_told_is_not_told_again() {
        check(
            "[a]\n@car 99 a {car}\n@car by {car}\nby bus\n[car]\nvan",
            "car",
            &["a van", "by bus"],
        );
    }

    #[test]
    fn slots_and_choices_are_filled_in() {
        check("[a]\nin {city}", "", &["in Nara"]);
        check("# said\n[a]\n[x|x][ y|[ y| y]]{b}\n\n[b]\n!", "", &["x y!"]);
        check("[a]\n{none}.", "", &["."]);
    }

    #[test]
    fn every_branch_is_taken_at_times() {
        let somebody = Somebody(Traits::NONE, Sections::read("[a]\n[1|2|]"));
        let mut dice = Dice::new(1);
        let said: std::collections::HashSet<_> = (0..100)
            .filter_map(|_| Speech::of(&somebody).say(&mut dice, "a"))
            .collect();
        assert_eq!(said, ["1", "2", ""].map(str::to_owned).into());
    }

    #[test]
    fn sections_can_be_told_apart_by_their_prefix() {
        let mut sections = Sections::read("[a]\nhere\n[en.a]\nthere");
        let english = sections.split_off("en.");
        assert_eq!(
            (sections.of("a").len(), sections.of("en.a").len(), english.of("a").len()),
            (1, 0, 1)
        );
    }

    #[test]
    #[should_panic = "a choice is not closed"]
    fn what_is_not_closed_is_not_read() {
        Sections::read("[a]\n[x|y");
    }
}
