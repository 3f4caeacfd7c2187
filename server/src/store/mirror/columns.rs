//! What the filters of lists compare, a column for each field, with a place for each row. Which fields these are, the contract
//! says.

use std::collections::BTreeSet;

use contract::support::conditions::{Cell, Column, Condition, Scalar, Values};

use super::texts::{TextSet, Texts};
use crate::search::TextId;

/// The columns of a list's rows.
pub(super) struct Columns(Vec<(&'static str, Held)>);

/// The values of a column, by row.
enum Held {
    /// And whether each is a list of texts.
    Texts(Texts, Vec<Option<TextId>>, bool),
    /// And how many are true.
    Flags(Vec<Option<bool>>, usize),
    /// NaN where there is none: no bound includes it.
    Numbers(Vec<f64>),
    Whole(Vec<Option<i64>>),
}

/// A condition on the values of a column.
pub(super) enum Test<'c> {
    Text(&'c [Option<TextId>], TextId),
    /// And how many are true.
    Flag(&'c [Option<bool>], bool, usize),
    /// From the one to the other, inclusive.
    Number(&'c [f64], f64, f64),
    Whole(&'c [Option<i64>], i64, i64),
    Part(&'c [Option<TextId>], TextSet),
    /// One of the columns has a wanted text.
    Word(Vec<(&'c [Option<TextId>], TextSet)>),
}

impl Columns {
    /// Without rows.
    pub(super) fn new<R>(columns: &[Column<R>]) -> Self {
        let held = |column: &Column<R>| {
            let held = match column.values {
                Values::Text(_) | Values::Texts(_) => {
                    let texts = if column.is_alone {
                        Texts::shared()
                    } else {
                        Texts::default()
                    };
                    Held::Texts(texts, Vec::new(), matches!(column.values, Values::Texts(_)))
                }
                Values::Flag(_) => Held::Flags(Vec::new(), 0),
                Values::Number(_) => Held::Numbers(Vec::new()),
                Values::Whole(_) => Held::Whole(Vec::new()),
            };
            (column.field, held)
        };
        Self(columns.iter().map(held).collect())
    }

    /// Inserts rows, each with a cell for every column, before the rows that are at these places.
    pub(super) fn insert(&mut self, places: &[usize], rows: &[&[Cell]]) {
        for (column, (_, held)) in self.0.iter_mut().enumerate() {
            let cells = rows.iter().map(|row| &row[column]);
            match held {
                Held::Texts(texts, ids, _) => {
                    let new: Vec<_> = cells.map(|cell| text(texts, cell)).collect();
                    insert(ids, places, &new);
                }
                Held::Flags(flags, ones) => {
                    let new: Vec<_> = cells.map(flag).collect();
                    *ones += new.iter().filter(|flag| **flag == Some(true)).count();
                    insert(flags, places, &new);
                }
                Held::Numbers(numbers) => insert(numbers, places, &cells.map(number).collect::<Vec<_>>()),
                Held::Whole(numbers) => insert(numbers, places, &cells.map(whole).collect::<Vec<_>>()),
            }
        }
    }

    /// Sets the cells of a row.
    pub(super) fn set(&mut self, place: usize, row: &[Cell]) {
        for ((_, held), cell) in self.0.iter_mut().zip(row) {
            match held {
                Held::Texts(texts, ids, _) => ids[place] = text(texts, cell),
                Held::Flags(flags, ones) => {
                    let new = flag(cell);
                    *ones += usize::from(new == Some(true));
                    *ones -= usize::from(std::mem::replace(&mut flags[place], new) == Some(true));
                }
                Held::Numbers(numbers) => numbers[place] = number(cell),
                Held::Whole(numbers) => numbers[place] = whole(cell),
            }
        }
    }

    /// Removes a row.
    pub(super) fn remove(&mut self, place: usize) {
        for (_, held) in &mut self.0 {
            match held {
                Held::Texts(_, ids, _) => drop(ids.remove(place)),
                Held::Flags(flags, ones) => *ones -= usize::from(flags.remove(place) == Some(true)),
                Held::Numbers(numbers) => drop(numbers.remove(place)),
                Held::Whole(numbers) => drop(numbers.remove(place)),
            }
        }
    }

    /// Keeps these rows. Frees memory if they are few.
    pub(super) fn retain(&mut self, kept: &[bool]) {
        for (_, held) in &mut self.0 {
            match held {
                Held::Texts(_, ids, _) => retain(ids, kept),
                Held::Flags(flags, ones) => {
                    retain(flags, kept);
                    *ones = flags.iter().filter(|flag| **flag == Some(true)).count();
                }
                Held::Numbers(numbers) => retain(numbers, kept),
                Held::Whole(numbers) => retain(numbers, kept),
            }
        }
    }

    /// Frees the texts that no row has any more, where they are more than this.
    pub(super) fn forget_texts(&mut self, most: usize) {
        for (_, held) in &mut self.0 {
            if let Held::Texts(texts, ids, _) = held
                && texts.len() > most
            {
                texts.retain(ids.iter_mut());
            }
        }
    }

    /// These conditions, those first that are tested soonest. `None` if no row can meet them.
    pub(super) fn tests(&self, conditions: &[Condition]) -> Option<Vec<Test<'_>>> {
        let mut tests = Vec::with_capacity(conditions.len());
        for condition in conditions {
            match condition {
                Condition::Words(fields, words) => {
                    let words: BTreeSet<&String> = words.iter().collect();
                    tests.extend(words.into_iter().map(|word| self.word(fields, word)));
                }
                other => tests.push(self.test(other)?),
            }
        }
        tests.sort_by_key(Test::cost);
        Some(tests)
    }

    fn test(&self, condition: &Condition) -> Option<Test<'_>> {
        let (Condition::Is(field, _)
        | Condition::Part(field, _)
        | Condition::Equal(field, _)
        | Condition::AtLeast(field, _)
        | Condition::AtMost(field, _)) = condition
        else {
            return None;
        };
        match (self.held(field), condition) {
            (Held::Texts(texts, ids, false), Condition::Is(_, wanted)) => Some(Test::Text(ids, texts.find(wanted)?)),
            (Held::Texts(texts, ids, true), Condition::Is(_, wanted)) => {
                Some(Test::Part(ids, texts.containing(&between_ends(wanted))))
            }
            (Held::Texts(texts, ids, _), Condition::Part(_, part)) => Some(Test::Part(ids, texts.having(part))),
            (Held::Flags(flags, ones), Condition::Equal(_, Scalar::Flag(wanted))) => {
                Some(Test::Flag(flags, *wanted, *ones))
            }
            (Held::Numbers(numbers), condition) => {
                let (least, most) = bounds(condition, f64::NEG_INFINITY, f64::INFINITY, |wanted| match wanted {
                    Scalar::Number(number) => Some(number.get()),
                    _ => None,
                })?;
                Some(Test::Number(numbers, least, most))
            }
            (Held::Whole(numbers), condition) => {
                let (least, most) = bounds(condition, i64::MIN, i64::MAX, |wanted| match wanted {
                    Scalar::Whole(number) => Some(number),
                    _ => None,
                })?;
                Some(Test::Whole(numbers, least, most))
            }
            _ => None,
        }
    }

    /// A word in one of the fields.
    fn word(&self, fields: &[&str], word: &str) -> Test<'_> {
        let searched = fields.iter().filter_map(|field| match self.held(field) {
            Held::Texts(texts, ids, _) => Some((&**ids, texts.containing(word))),
            _ => None,
        });
        Test::Word(searched.collect())
    }

    /// The texts of these rows in a field, each with the number of the rows.
    pub(super) fn counts(&self, field: &str, rows: impl Iterator<Item = usize>) -> Vec<(String, u64)> {
        let Held::Texts(texts, ids, _) = self.held(field) else {
            return Vec::new();
        };
        let mut numbers = vec![0_u64; texts.len()];
        for id in rows.filter_map(|place| ids[place]) {
            numbers[id.index()] += 1;
        }
        let found = texts.iter().zip(numbers).filter(|(_, number)| *number > 0);
        found.map(|(text, number)| (text.to_owned(), number)).collect()
    }

    /// The column of a field. Each field that a condition names has one: the columns are those of all lists.
    fn held(&self, field: &str) -> &Held {
        let found = self.0.iter().find(|(known, _)| *known == field);
        let (_, held) = found.unwrap_or_else(|| panic!("no column for `{field}`: add its list to COLUMNS"));
        held
    }

    /// How many different texts of a field are kept.
    #[cfg(test)]
    pub(super) fn texts(&self, field: &str) -> usize {
        match self.held(field) {
            Held::Texts(texts, ..) => texts.len(),
            _ => 0,
        }
    }
}

impl Test<'_> {
    /// Tests with a lower one take less time for each row.
    fn cost(&self) -> u8 {
        match self {
            Self::Text(..) => 0,
            Self::Flag(..) => 1,
            Self::Number(..) | Self::Whole(..) => 2,
            Self::Part(..) => 3,
            Self::Word(_) => 4,
        }
    }

    /// Whether the row at this place meets it.
    pub(super) fn accepts(&self, place: usize) -> bool {
        self.visit(At(place))
    }

    /// How many of all rows meet it.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Flag(_, true, ones) => *ones,
            _ => self.visit(Count),
        }
    }

    /// The places of the rows that meet it, ascending.
    pub(super) fn places(&self) -> Vec<usize> {
        self.visit(Places)
    }

    /// The places of the last rows that meet it, at most so many, descending.
    pub(super) fn last(&self, count: usize) -> Vec<usize> {
        self.visit(Last(count))
    }

    /// Compiles a visit for each kind of test, so that a loop over the rows has no branches for the others.
    fn visit<V: Visit>(&self, visit: V) -> V::Found {
        match self {
            Self::Text(ids, wanted) => visit.rows(ids, |id| *id == Some(*wanted)),
            Self::Flag(flags, wanted, _) => visit.rows(flags, |flag| *flag == Some(*wanted)),
            Self::Number(numbers, least, most) => visit.rows(numbers, |number| is_between(number, least, most)),
            Self::Whole(numbers, least, most) => visit.rows(numbers, |number| {
                number.is_some_and(|number| is_between(&number, least, most))
            }),
            Self::Part(ids, wanted) => visit.rows(ids, |id| is_in(wanted, *id)),
            Self::Word(columns) => {
                let rows: &[_] = columns.first().map_or(&[], |(ids, _)| ids);
                visit.places(rows.len(), |place| {
                    columns.iter().any(|(ids, wanted)| is_in(wanted, ids[place]))
                })
            }
        }
    }

    /// The places of the rows that meet all tests, ascending. There is at least one test.
    pub(super) fn all(tests: &[Self]) -> Vec<usize> {
        let Some((first, others)) = tests.split_first() else {
            return Vec::new();
        };
        let mut places = first.places();
        for test in others {
            places.retain(|place| test.accepts(*place));
        }
        places
    }
}

/// What is done with the rows that meet a test.
trait Visit: Sized {
    type Found;
    /// Of so many rows, those at places that meet the test.
    fn places(self, rows: usize, is_met: impl Fn(usize) -> bool) -> Self::Found;
    /// Of rows with these values, those with a value that meets the test.
    fn rows<T>(self, values: &[T], is_met: impl Fn(&T) -> bool) -> Self::Found {
        self.places(values.len(), |place| is_met(&values[place]))
    }
}

struct At(usize);
struct Count;
struct Places;
struct Last(usize);

impl Visit for At {
    type Found = bool;
    fn places(self, _: usize, is_met: impl Fn(usize) -> bool) -> bool {
        is_met(self.0)
    }
}

impl Visit for Count {
    type Found = usize;
    fn places(self, rows: usize, is_met: impl Fn(usize) -> bool) -> usize {
        (0..rows).filter(|place| is_met(*place)).count()
    }
}

impl Visit for Places {
    type Found = Vec<usize>;
    fn places(self, rows: usize, is_met: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..rows).filter(|place| is_met(*place)).collect()
    }
}

impl Visit for Last {
    type Found = Vec<usize>;
    fn places(self, rows: usize, is_met: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut last = Vec::with_capacity(self.0);
        last.extend((0..rows).rev().filter(|place| is_met(*place)).take(self.0));
        last
    }
}

/// The values that a condition wants, from the first to the last.
fn bounds<T: Copy>(condition: &Condition, first: T, last: T, of: impl Fn(Scalar) -> Option<T>) -> Option<(T, T)> {
    match condition {
        Condition::Equal(_, wanted) => of(*wanted).map(|wanted| (wanted, wanted)),
        Condition::AtLeast(_, wanted) => of(*wanted).map(|wanted| (wanted, last)),
        Condition::AtMost(_, wanted) => of(*wanted).map(|wanted| (first, wanted)),
        _ => None,
    }
}

fn is_between<T: PartialOrd>(value: &T, least: &T, most: &T) -> bool {
    least <= value && value <= most
}

fn is_in(wanted: &TextSet, text: Option<TextId>) -> bool {
    text.is_some_and(|text| wanted.contains(text))
}

/// The number of a cell's text. The items of a list are one text.
fn text(texts: &mut Texts, cell: &Cell) -> Option<TextId> {
    match cell {
        Cell::Text(text) => text.as_deref().map(|text| texts.add(text)),
        Cell::Texts(items) if !items.is_empty() => {
            let items: String = items.iter().map(|item| between_ends(item)).collect();
            Some(texts.add(&items))
        }
        _ => None,
    }
}

fn flag(cell: &Cell) -> Option<bool> {
    match cell {
        Cell::Flag(flag) => *flag,
        _ => None,
    }
}

fn number(cell: &Cell) -> f64 {
    match cell {
        Cell::Number(Some(number)) => number.get(),
        _ => f64::NAN,
    }
}

fn whole(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Whole(number) => *number,
        _ => None,
    }
}

/// An item between two characters that no text of a request contains: so the whole item is a part of the items that stand one
/// after the other.
fn between_ends(item: &str) -> String {
    format!("{END}{item}{END}")
}

/// A control character, which the contract refuses in texts.
const END: char = '\0';

/// Inserts values before those that are at these places, which ascend. Each value behind them moves once.
pub(super) fn insert<T: Copy>(values: &mut Vec<T>, places: &[usize], new: &[T]) {
    let Some(first) = new.first() else { return };
    let mut end = values.len();
    let mut free = end + new.len();
    values.resize(free, *first);
    for (place, value) in places.iter().zip(new).rev() {
        free -= end - place;
        values.copy_within(*place..end, free);
        free -= 1;
        values[free] = *value;
        end = *place;
    }
}

/// Keeps the values at the places that are true. Frees memory if they are few.
pub(super) fn retain<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| kept.next().is_some_and(|kept| *kept));
    if values.len() < values.capacity() / 4 {
        values.shrink_to(2 * values.len());
    }
}
