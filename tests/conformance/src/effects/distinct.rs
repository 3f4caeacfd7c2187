//! Lists of the distinct items of other records: new and changed records are counted, and each item is shown once.

use super::record::Record;
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::invariants::{Place, Reading};
use crate::lists::pages::page_query;
use crate::lists::rows::unique_number;
use crate::suite::leave_out;
use crate::types::Type;
use crate::value::{nth_text, word};
use codegen::model::{Alike, Distinct, Field, Resource, View};
use serde_json::Value as Json;
use std::cmp::Ordering;

/// A list of distinct items, and an operation that makes records with items.
#[derive(Clone, Copy)]
pub(crate) struct Items {
    pub(crate) place: Place,
    pub(crate) view: &'static View,
    pub(crate) resource: &'static Resource,
    pub(crate) distinct: &'static Distinct,
    pub(crate) maker: &'static Operation,
}

/// The texts of an item, by field.
type Texts = Vec<(&'static str, String)>;

impl Attempt {
    /// Items of new records are counted, each under one row; of two spellings the first by code points is shown.
    #[track_caller]
    pub(crate) fn counts_items(mut self, items: Items) {
        let apart = self.world.apart();
        let is_apart = apart.is_some();
        if let Some(world) = apart {
            self = self.in_world(world);
        }
        let Some(texts) = self.new_item(items) else {
            return leave_out("no request makes an item that nothing else has");
        };
        let (_, answer) = self.with_item(items, &texts);
        self.expect_count(items, &texts, 1, &answer);
        let other = other_spelling(items, &texts).unwrap_or_else(|| texts.clone());
        let (_, answer) = self.with_item(items, &other);
        let first = if texts < other { &texts } else { &other };
        self.expect_count(items, first, 2, &answer);
        if is_apart {
            self.make_items_that_differ_in_one_text(items, &texts);
            self.expect_pages(items);
        }
    }

    /// An item that a change takes from its only record is not shown, and its new one is.
    #[track_caller]
    pub(crate) fn forgets_changed_items(self, items: Items, (by, member): (&'static Operation, &'static str)) {
        let (Some(former), Some(latter)) = (self.new_item(items), self.new_item(items)) else {
            return leave_out("no request makes an item that nothing else has");
        };
        let (record, answer) = self.with_item(items, &former);
        let Some(record) = record else {
            return leave_out("the answer does not name the new record");
        };
        self.expect_count(items, &former, 1, &answer);
        let changing = self.anew(by);
        let Some(stage) = changing.stage_for(record) else {
            return;
        };
        let Some(value) = item(items, self.anew(items.maker), &latter)
            .sent(&items.distinct.list)
            .cloned()
        else {
            return;
        };
        let answer = changing.giving(member, value).done(&stage);
        self.expect_count(items, &latter, 1, &answer);
        self.expect_count(items, &former, 0, &answer);
    }

    /// Texts of an item that no record has; `None` if the body takes none.
    fn new_item(&self, items: Items) -> Option<Texts> {
        let made = items.maker.body?.member(&items.distinct.list)?;
        let Type::List {
            of: Type::Object(object),
            ..
        } = made.of
        else {
            return None;
        };
        let text = |field: &'static Field| {
            let member = object.iter().find(|member| member.name == field.name)?;
            Some((field.name.as_str(), nth_text(Some(member.of), unique_number())))
        };
        items.spelt().map(text).collect()
    }

    fn with_item(&self, items: Items, texts: &Texts) -> (Option<Record>, Answer) {
        let making = item(items, self.anew(items.maker), texts);
        let answer = making.done(&making.stage(false).clone());
        let made = self.operation.contract.model.resource(&items.distinct.resource);
        (answer.made(made).first().copied(), answer)
    }

    #[track_caller]
    fn expect_count(&self, items: Items, texts: &Texts, wanted: u64, by: &Answer) {
        let is_it = |row: &Json| {
            let shown = |field: &str| items.view.member_of(field).map(|member| &row[&member.shown]);
            texts
                .iter()
                .all(|(field, text)| shown(field).is_none_or(|shown| shown == text))
        };
        let (noun, found) = (&items.resource.noun, self.items(items).find_where(is_it));
        let wanted_row = format!("the {noun} {texts:?}, counted {wanted} times");
        match (found, wanted) {
            (None, 0) => {}
            (None, _) => by.fail(&wanted_row, "it is not listed"),
            (Some(found), 0) => found.answer.fail(&format!("no {noun} {texts:?}"), "it is listed still"),
            (Some(found), _) => {
                for member in items.counts() {
                    if found.row[member].as_u64() != Some(wanted) {
                        found
                            .answer
                            .fail(&wanted_row, &format!("`{member}` is {}", found.row[member]));
                    }
                }
            }
        }
    }

    /// Makes an item for each text, which is another one there, so that the order has to decide by each.
    fn make_items_that_differ_in_one_text(&self, items: Items, texts: &Texts) {
        for place in 0..texts.len() {
            let Some(other) = self.new_item(items) else { return };
            let mut differs = texts.clone();
            differs[place] = other[place].clone();
            for texts in [&other, &differs] {
                let mut second = texts.clone();
                second[place].1.push('z');
                self.with_item(items, &second);
                self.with_item(items, texts);
            }
        }
    }

    /// Pages of one row show each item once, in the declared order, as many as the total says. Without parameters the list
    /// begins with the first of them.
    #[track_caller]
    fn expect_pages(&self, items: Items) {
        let declared = self.operation.declared;
        let Some(pages) = declared.pages.as_ref().filter(|pages| !pages.is_one()) else {
            return;
        };
        let stage = self.stage(true);
        let (mut ids, mut all) = (Vec::new(), Vec::new());
        for nth in 0.. {
            let query = page_query(pages, 1, nth).into_iter();
            let page = query.fold(self.anew(self.operation), |page, (name, text)| {
                page.parameter(name, &text)
            });
            let answer = page.accepted_on(&stage.caller, &stage.arranged);
            let total = pages.total.as_ref().and_then(|total| answer.total(total).as_u64());
            let data = answer.data();
            let rows = data.as_array().map_or(&[][..], Vec::as_slice);
            ids.extend(rows.iter().map(|row| items.place.id.map(|id| row[id].clone())));
            let is_wrong = total.is_some_and(|total| (rows.len() as u64) != u64::from((nth as u64) < total));
            let is_again = ids.iter().rev().skip(1).any(|id| Some(id) == ids.last());
            if is_wrong || is_again {
                let wanted = format!("page {nth} of one row each, of {total:?} in all");
                answer.fail(
                    &wanted,
                    &format!("there are {} rows, one of them again: {is_again}", rows.len()),
                );
            }
            if rows.is_empty() {
                break;
            }
            all.extend(rows.iter().cloned());
            if let [.., former, latter] = all.as_slice()
                && items.order(declared, former, latter) == Ordering::Greater
            {
                answer.fail(&format!("the declared order, after {former}"), "it comes too late");
            }
        }
        let first = self.anew(self.operation).accepted_on(&stage.caller, &stage.arranged);
        if first.data().get(0) != all.first() {
            let wanted = format!("{:?} first", all.first());
            first.fail(&wanted, "without parameters it begins with another one");
        }
    }

    fn items(&self, items: Items) -> Reading {
        Reading::at(
            items.place,
            self.anew(self.operation),
            self.stage(true).as_ref().clone(),
        )
    }
}

impl Items {
    fn spelt(self) -> impl Iterator<Item = &'static Field> {
        self.resource.item_members()
    }

    /// The declared order of two rows, as far as they show it.
    fn order(self, operation: &codegen::model::Operation, former: &Json, latter: &Json) -> Ordering {
        let keys = operation.sort.iter().filter_map(|key| {
            let shown = self.view.member_of(&key.field)?.shown.as_str();
            let of_texts = former[shown].as_str().zip(latter[shown].as_str());
            let of_numbers = || former[shown].as_i64().zip(latter[shown].as_i64());
            let order = of_texts.map(|(former, latter)| former.cmp(latter));
            let order = order.or_else(|| of_numbers().map(|(former, latter)| former.cmp(&latter)))?;
            Some(if key.descends { order.reverse() } else { order })
        });
        keys.fold(Ordering::Equal, Ordering::then)
    }

    /// The members that count the records.
    fn counts(self) -> impl Iterator<Item = &'static str> {
        let counted = self.resource.fields.iter().chain(&self.resource.joined);
        let counted = counted.filter(|field| field.origin.is_some());
        let members = self.view.members.iter();
        let names: Vec<&str> = counted.map(|field| field.name.as_str()).collect();
        let shown = members.filter(move |member| names.contains(&member.source.field()));
        shown.map(|member| member.shown.as_str())
    }
}

/// The request with this item alone in its list.
fn item(items: Items, attempt: Attempt, texts: &Texts) -> Attempt {
    let list = &items.distinct.list;
    texts.iter().fold(attempt, |attempt, (field, text)| {
        attempt.with(&format!("{list}[0].{field}"), word(text))
    })
}

/// The same item in another spelling, if its first text has one.
fn other_spelling(items: Items, texts: &Texts) -> Option<Texts> {
    let model = items.maker.contract.model;
    let (field, text) = texts.first()?;
    let upper = text.to_uppercase();
    let is_alike = model.alike(&items.resource.field(field).of.kind) != Alike::Exact;
    let mut other = texts.clone();
    other[0].1.clone_from(&upper);
    (is_alike && upper != *text).then_some(other)
}
