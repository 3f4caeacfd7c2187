//! Searches compare texts as the contract declares (`alike`, `synonyms`), and with the values that records have now.

use super::record::Record;
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::level::Level;
use crate::lists::description::{Creator, Filter};
use crate::lists::rows::{marked_place, unique_number};
use crate::query::encoded;
use crate::stage::Stage;
use crate::suite::leave_out;
use crate::types::{Type, named};
use crate::value::{Value, raw, word};
use codegen::model::{Alike, FilterBy, KnownNames, Matching, Nearest};

/// Behind a unique text: letters of which case folding and normalization make others.
const LETTERS: &str = " Straße é";

/// The most names that a search proposes.
const MOST_NAMES: usize = 3;

/// The most groups of texts with the same meaning that are tried.
const GROUPS: usize = 3;

impl Attempt {
    /// The filter finds a record by other spellings of its text, if the contract declares them alike, and else by none.
    #[track_caller]
    pub(crate) fn finds_alike(self, filter: &'static Filter, alike: Alike) {
        let (Some(creator), Some(mark)) = (&self.list().creator, self.mark_of_one(filter)) else {
            return leave_out("no request makes a row with a text that nothing else has");
        };
        let of = Attempt::new(self.world, creator.operation).type_at(&mark.place);
        let with_letters = format!("{}{LETTERS}", mark.text);
        let text = if fits(of, &with_letters) {
            &with_letters
        } else {
            &mark.text
        };
        let Some((stage, id)) = self.row(creator, &[(&mark.place, text)]) else {
            return;
        };
        let parameter = named(self.operation.query, mark.parameter);
        for (spelling, least) in spellings(text) {
            if spelling == *text || !parameter.is_some_and(|one| fits(one.of, &spelling)) {
                continue;
            }
            self.finds(&stage, &[(mark.parameter, &spelling)], id, least <= rank(alike));
        }
        self.finds(&stage, &[(mark.parameter, text)], id, true);
        let part: String = text.chars().skip(1).collect();
        let is_part = matches!(filter.declared.by, FilterBy::Query(_, Matching::Part | Matching::Words));
        if parameter.is_some_and(|one| fits(one.of, &part)) {
            self.finds(&stage, &[(mark.parameter, &part)], id, is_part);
        }
    }

    /// The filter finds a record by all texts that mean the same as its own, or as a part of it, and by no other.
    #[track_caller]
    pub(crate) fn finds_synonyms(self, filter: &'static Filter) {
        let FilterBy::Query(parameter, matching) = &filter.declared.by else {
            return;
        };
        let others = self.list().filters().iter().filter(|other| other.name != filter.name);
        let mark = others.filter_map(|other| self.mark(other)).next();
        let (Some(creator), Some(mark)) = (&self.list().creator, mark) else {
            return leave_out("no other filter tells its rows from those of others");
        };
        let field = filter.declared.field.field();
        let of = named(creator.operation.members(), field).map(|member| member.of);
        for (group, other) in tried(filter.synonyms) {
            for stored in [group.first(), group.last()].into_iter().flatten() {
                let longer = format!("1 {stored} 2");
                let is_longer = *matching == Matching::Part && of.is_some_and(|of| fits(of, &longer));
                let stored = if is_longer { &longer } else { stored };
                let Some((stage, id)) = self.row(creator, &[(&mark.place, &mark.text), (field, stored)]) else {
                    return;
                };
                for text in group {
                    self.finds(&stage, &[(mark.parameter, &mark.text), (parameter, text)], id, true);
                }
                for text in other {
                    self.finds(&stage, &[(mark.parameter, &mark.text), (parameter, text)], id, false);
                }
            }
        }
    }

    /// A search for a name that is not known finds nothing, and the header has a known name that differs in one character: if
    /// texts are compared, first. One for a known name proposes nothing.
    #[track_caller]
    pub(crate) fn proposes_names(self, filter: &'static Filter, nearest: &'static Nearest) {
        let KnownNames::Synonyms(groups) = &nearest.names else {
            return;
        };
        let others = self.list().filters().iter().filter(|other| other.name != filter.name);
        let Some(mark) = others.filter_map(|other| self.mark(other)).next() else {
            return leave_out("no other filter makes sure that nothing is found");
        };
        let known = groups.iter().flatten().max_by_key(|name| name.chars().count());
        let Some(known) = known else { return };
        let encoded = encoded(known);
        let unknown: String = known.chars().chain(known.chars().last()).collect();
        let parameter = named(self.operation.query, &nearest.parameter);
        if !parameter.is_some_and(|one| fits(one.of, &unknown)) {
            return leave_out("no longer name fits the parameter");
        }
        for (name, is_known) in [(unknown, false), (known.clone(), true)] {
            let attempt = self.clone().parameter(mark.parameter, &mark.text);
            let answer: Answer = attempt.parameter(&nearest.parameter, &name).accepted();
            let proposed = answer.response.header(&nearest.header);
            let mut names = proposed.into_iter().flat_map(|names| names.split(','));
            let (is_right, verb) = match self.world.level() {
                _ if is_known => (proposed.is_none(), "not to have"),
                Level::Texts => (names.next() == Some(encoded.as_str()), "to begin with"),
                // Which other names are nearer is an opinion.
                _ => (names.take(MOST_NAMES).any(|name| name == encoded), "to have"),
            };
            if !is_right {
                let message = format!("`{}` {verb} `{encoded}` for `{name}`", nearest.header);
                answer.fail(&message, &format!("{proposed:?}"));
            }
        }
    }

    /// After two changes of a field the filters find the record by its present value, and not by the one before.
    #[track_caller]
    pub(crate) fn finds_by_present_values(
        self,
        filters: &'static [&'static Filter],
        by: &'static Operation,
        member: &'static str,
    ) {
        let model = self.operation.contract.model;
        let record: Record = self.new_record(model.resource(self.list().resource), None);
        let changing = self.anew(by);
        let Some((stage, writer)) = self.stage_for(record).zip(changing.stage_for(record)) else {
            return;
        };
        let mut former: Option<String> = None;
        for nth in 0..2 {
            let Some((place, value, text)) = changing.rare_value(filters[0], member, nth) else {
                return leave_out("it has no value that other rows lack");
            };
            let change = changing.clone().without_others();
            change.with_exactly(&place, value).done(&writer);
            let query = |text: &str| -> Vec<(&'static str, String)> {
                let parameters = filters.iter().filter_map(|filter| match &filter.declared.by {
                    FilterBy::Query(name, _) => Some((name.as_str(), text.to_owned())),
                    _ => None,
                });
                parameters.collect()
            };
            for (text, is_present) in [(Some(text.clone()), true), (former.take(), false)] {
                let query = text.map(|text| query(&text)).unwrap_or_default();
                let query: Vec<(&str, &str)> = query.iter().map(|(name, text)| (*name, text.as_str())).collect();
                if !query.is_empty() {
                    self.finds(&stage, &query, record.id, is_present);
                }
            }
            former = Some(text);
        }
    }

    /// A new row with these texts: its list's stage, and its id.
    #[track_caller]
    pub(super) fn row(&self, creator: &'static Creator, texts: &[(&str, &str)]) -> Option<(Stage, i64)> {
        let making = texts
            .iter()
            .fold(self.anew(creator.operation), |attempt, (place, text)| {
                attempt.with_exactly(place, word(text))
            });
        let stage = self.stage(false);
        let is_same = creator.operation.surface.credential == self.operation.surface.credential;
        if self.list().is_scoped() && !is_same {
            leave_out("another caller makes its rows");
            return None;
        }
        let caller = if is_same {
            stage.caller.clone()
        } else {
            making.fresh_caller()
        };
        let arranged = making.arrange_with(&caller, |resource, within| match stage.arranged.has(resource) {
            true => stage.arranged.id(resource),
            false => self.world.create(resource, &caller, within),
        });
        let answer = making.done(&Stage { caller, arranged });
        let id = answer.data()[creator.id].as_i64()?;
        Some(((*stage).clone(), id))
    }

    /// Whether the list with these parameters shows the row, as it should.
    #[track_caller]
    fn finds(&self, stage: &Stage, query: &[(&str, &str)], id: i64, is_wanted: bool) {
        let attempt = query
            .iter()
            .fold(self.clone(), |attempt, (name, text)| attempt.parameter(name, text));
        let answer: Answer = attempt.accepted_on(&stage.caller, &stage.arranged);
        let data = answer.data();
        let mut rows = data.as_array().into_iter().flatten();
        if rows.any(|row| row[self.list().id].as_i64() == Some(id)) != is_wanted {
            let noun = &self.operation.contract.model.resource(self.list().resource).noun;
            let [wanted, came] = match is_wanted {
                true => ["to be found", "it is not"],
                false => ["not to be found", "it is"],
            };
            answer.fail(&format!("the {noun} {id} {wanted}"), came);
        }
    }

    /// A value that few records have, its place in the body, and its text in a query.
    fn rare_value(&self, filter: &Filter, member: &str, nth: u32) -> Option<(String, Value, String)> {
        let (place, of) = marked_place(&filter.declared.field, named(self.operation.members(), member)?.of)?;
        let (value, text) = rare_value(of, nth)?;
        Some((place, value, text))
    }
}

/// A value of the type that few records have, and its text in a query.
fn rare_value(of: &Type, nth: u32) -> Option<(Value, String)> {
    let seed = unique_number();
    match of {
        of @ Type::Text { max, .. } => {
            let text = crate::value::nth_text(Some(of), seed);
            let is_short = max.is_none_or(|max| text.chars().count() <= max);
            is_short.then(|| (word(&text), text))
        }
        Type::Number {
            min,
            max,
            decimals,
            exclusive_min,
        } => {
            let low = min.or(*exclusive_min).unwrap_or(0.0);
            let scale = 10_f64.powi(i32::try_from(decimals.unwrap_or(2).min(6)).ok()?);
            #[expect(clippy::cast_precision_loss, reason = "the remainder is small")]
            let number = low + ((seed % 9_973) as f64 + 1.0 + f64::from(nth)) / scale;
            let number = (number * scale).round() / scale;
            let text = number.to_string();
            max.is_none_or(|max| number <= max).then(|| (raw(&text), text))
        }
        _ => None,
    }
}

/// Other spellings of a text, each with the least rank at which both are alike.
fn spellings(text: &str) -> [(String, u8); 3] {
    let wide = |c: char| match c {
        '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap_or(c),
        _ => c,
    };
    [
        (text.to_uppercase(), rank(Alike::Casefold)),
        (text.chars().map(wide).collect(), rank(Alike::NfkcCasefold)),
        (text.replace('é', "e\u{301}"), rank(Alike::NfkcCasefold)),
    ]
}

fn rank(alike: Alike) -> u8 {
    match alike {
        Alike::Exact => 0,
        Alike::Casefold => 1,
        Alike::NfkcCasefold => 2,
    }
}

fn fits(of: &Type, text: &str) -> bool {
    let Type::Text { min, max, chars, .. } = of else {
        return false;
    };
    let class = chars.map(codegen::model::Class::parse);
    let count = text.chars().count();
    count >= *min && max.is_none_or(|max| count <= max) && class.is_none_or(|class| text.chars().all(|c| class.has(c)))
}

/// Some groups, each with another one, if possible with one that has a part of a text of the first.
fn tried(groups: &'static [Vec<String>]) -> Vec<(&'static [String], &'static [String])> {
    let is_part = |one: &Vec<String>, other: &Vec<String>| {
        other
            .iter()
            .any(|text| one.iter().any(|whole| whole != text && whole.contains(text.as_str())))
    };
    let first = groups.first().into_iter();
    let with_parts = groups.iter().filter(|one| {
        groups
            .iter()
            .any(|other| !std::ptr::eq(*one, other) && is_part(one, other))
    });
    let chosen = with_parts.chain(first).take(GROUPS);
    let pair = |one: &'static Vec<String>| {
        let others = || groups.iter().filter(move |other| !std::ptr::eq(*other, one));
        let other = others().find(|other| is_part(one, other)).or_else(|| others().next());
        (one.as_slice(), other.map_or(&[][..], Vec::as_slice))
    };
    chosen.map(pair).collect()
}

/// The filters of one field that compare it with one value at both ends, or as a whole.
pub(crate) fn decide_together(filters: &[&Filter]) -> bool {
    let by = |wanted: Matching| {
        let is_it =
            move |filter: &&&Filter| matches!(filter.declared.by, FilterBy::Query(_, matching) if matching == wanted);
        filters.iter().filter(is_it).count()
    };
    by(Matching::Equal) == 1 || (by(Matching::AtLeast) == 1 && by(Matching::AtMost) == 1)
}
