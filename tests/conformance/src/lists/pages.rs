//! Pages: each has the right items, past the end there are none, and together they are the whole list.

use super::Query;
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::lists::reader::ListReader;
use crate::suite::leave_out;
use crate::types::Type;
use codegen::model::Pages;
use serde_json::Value as Json;

/// Page sizes for walking a list: single items, and sizes whose last page is not full.
const STRIDES: [i64; 3] = [1, 7, 10];

impl Attempt {
    /// Without a size, a page has the default size.
    #[track_caller]
    pub fn pages_of_default_size(self) {
        let Some(reader) = ListReader::for_attempt(&self, &[]) else {
            return;
        };
        let size = self
            .number(&reader.pages().size)
            .expect("called for a size with a default");
        let (whole, _) = reader.whole(&[]);
        if whole.len() <= length(size) {
            leave_out(&format!("{} rows are not more than a page of {size}", whole.len()));
            return;
        }
        reader.expect_rows(&reader.ask(&[]), &whole[..length(size)], "a page of the default size");
    }

    /// The first page has the requested number of items, or all if there are fewer.
    #[track_caller]
    pub fn pages_of_each_size(self) {
        let Some(reader) = ListReader::for_attempt(&self, &[]) else {
            return;
        };
        let (whole, _) = reader.whole(&[]);
        let count = i64::try_from(whole.len()).unwrap_or_default();
        let (least, most) = reader.bounds(&reader.pages().size);
        let mut sizes = vec![least, 2, count - 1, count, count + 1, most];
        sizes.sort_unstable();
        sizes.dedup();
        for size in sizes.into_iter().filter(|size| (least.max(0)..=most).contains(size)) {
            let page = &whole[..length(size).min(whole.len())];
            let answer = reader.ask(&[(&reader.pages().size, size.to_string())]);
            reader.expect_rows(&answer, page, &format!("the first {} rows", page.len()));
        }
    }

    /// Past the last item there is none, and the total stays the same.
    #[track_caller]
    pub fn pages_past_the_end(self) {
        let Some(reader) = ListReader::for_attempt(&self, &[]) else {
            return;
        };
        let (whole, _) = reader.whole(&[]);
        let count = i64::try_from(whole.len()).unwrap_or_default();
        let size = 2;
        let (name, past) = match (&reader.pages().offset, &reader.pages().number) {
            (Some(name), _) => (name, count),
            (None, Some(name)) => (name, (count + size - 1) / size + 1),
            (None, None) => return,
        };
        let ask = |place: i64| reader.ask(&[(&reader.pages().size, size.to_string()), (name, place.to_string())]);
        for place in [past, past + 1, reader.bounds(name).1] {
            let answer = ask(place);
            reader.expect_rows(&answer, &[], "no row past the end");
            reader.expect_same_total(&answer, count);
        }
        for before in (1..=count.min(2)).filter(|_| reader.pages().offset.is_some()) {
            let last = &whole[whole.len() - length(before)..];
            reader.expect_rows(&ask(count - before), last, "the last rows");
        }
    }

    /// The pages together show each item once, for any size, and `total` is their number.
    #[track_caller]
    pub fn pages_together_are_the_whole(self) {
        let Some(reader) = ListReader::for_attempt(&self, &[]) else {
            return;
        };
        let (whole, _) = reader.whole(&[]);
        let count = i64::try_from(whole.len()).unwrap_or_default();
        let (least, most) = reader.bounds(&reader.pages().size);
        for size in STRIDES.into_iter().filter(|size| (least..=most).contains(size)) {
            for from in (0..=whole.len()).step_by(length(size)) {
                let answer = reader.ask(&reader.page(size, from));
                let page = &whole[from..whole.len().min(from + length(size))];
                reader.expect_rows(
                    &answer,
                    page,
                    &format!("rows {} to {} of all", from + 1, from + page.len()),
                );
                reader.expect_same_total(&answer, count);
            }
        }
    }
}

impl ListReader {
    fn pages(&self) -> &'static Pages {
        let pages = self.attempt.operation.declared.pages.as_ref();
        pages.expect("called for an operation whose list has pages")
    }

    fn pages_at(&self) -> String {
        self.attempt.operation.contract.at(self.pages().at)
    }

    /// The minimum and the maximum of this parameter.
    fn bounds(&self, parameter: &str) -> (i64, i64) {
        let member = self.attempt.operation.query(parameter);
        match member.map(|member| member.of) {
            Some(Type::Integer { min, max }) => (min.unwrap_or(0), max.unwrap_or((1 << 53) - 1)),
            _ => (1, 100),
        }
    }

    /// The query for the page of this size after `from` items, which are whole pages.
    fn page(&self, size: i64, from: usize) -> Vec<(&'static str, String)> {
        let from = i64::try_from(from).expect("rows can be counted");
        page_query(self.pages(), size, from)
    }

    /// Pages of some sizes are parts of the whole, if there are several pages.
    #[track_caller]
    pub(super) fn expect_pages(&self, query: &Query<'_>, whole: &[Json]) {
        let pages = self.attempt.operation.declared.pages.as_ref();
        if pages.is_none_or(Pages::is_one) {
            return;
        }
        let (least, most) = self.bounds(&self.pages().size);
        for size in STRIDES.into_iter().filter(|size| (least..=most).contains(size)) {
            // Single rows say no more than pages of several, and are many.
            let last = if size == 1 { 2 * length(size) } else { whole.len() };
            for from in (0..last.min(whole.len())).step_by(length(size)) {
                let answer = self.ask(&[query, &self.page(size, from)].concat());
                let page = &whole[from..whole.len().min(from + length(size))];
                let what = format!("rows {} to {} in this order", from + 1, from + page.len());
                self.expect_rows(&answer, page, &what);
            }
        }
    }

    /// Every requested item, in pages of the largest size, and the answer with the first ones.
    #[track_caller]
    pub(super) fn whole(&self, query: &Query<'_>) -> (Vec<Json>, Answer) {
        if self.attempt.operation.declared.pages.is_none() {
            let answer = self.ask(query);
            return (rows(&answer), answer);
        }
        let size = self.bounds(&self.pages().size).1.min(1000);
        let ask = |from| self.ask(&[query, &self.page(size, from)].concat());
        let first = ask(0);
        let (mut all, mut last) = (rows(&first), rows(&first).len());
        while last == length(size) && !self.pages().is_one() {
            let answer = ask(all.len());
            let next = rows(&answer);
            if all.ends_with(&next) && !next.is_empty() {
                answer.fail("another page", "it is the same as that before it");
            }
            last = next.len();
            all.extend(next);
        }
        (all, first)
    }

    /// Whether items are missing because there is only one page, and it is full.
    pub(super) fn is_cut(&self, rows: usize) -> bool {
        let pages = self.attempt.operation.declared.pages.as_ref();
        pages.is_some_and(|pages| pages.is_one() && rows == length(self.bounds(&pages.size).1.min(1000)))
    }

    /// Exactly these rows, in this order.
    #[track_caller]
    fn expect_rows(&self, answer: &Answer, wanted: &[Json], what: &str) {
        let ids = |rows: &[Json]| rows.iter().filter_map(|row| self.id(row)).collect::<Vec<_>>();
        let (came, wanted) = (ids(&rows(answer)), ids(wanted));
        if came != wanted {
            answer.fail(
                &format!(
                    "{what}, by `pages` ({}): those with the ids {wanted:?}",
                    self.pages_at()
                ),
                &format!("there are {came:?}"),
            );
        }
    }

    #[track_caller]
    fn expect_same_total(&self, answer: &Answer, count: i64) {
        let Some(name) = &self.pages().total else { return };
        let total = answer.total(name);
        if total.as_i64() != Some(count) {
            let wanted = format!("`{name}` as {count}, by `pages` ({})", self.pages_at());
            answer.fail(&wanted, &format!("it is {total}"));
        }
    }
}

/// The query for the page of this size after `from` items, which are whole pages.
pub(crate) fn page_query(pages: &'static Pages, size: i64, from: i64) -> Vec<(&'static str, String)> {
    let mut query = vec![(pages.size.as_str(), size.to_string())];
    query.extend(pages.offset.iter().map(|name| (name.as_str(), from.to_string())));
    let number = from / size.max(1) + 1;
    query.extend(pages.number.iter().map(|name| (name.as_str(), number.to_string())));
    query
}

fn rows(answer: &Answer) -> Vec<Json> {
    answer.data().as_array().cloned().unwrap_or_default()
}

fn length(size: i64) -> usize {
    usize::try_from(size).unwrap_or_default()
}
