//! Probes of the parameters of a query: values, pages and feeds.

use super::alphabets::broken_encodings;
use super::boundaries::{shown, texts};
use super::list::Lister;
use crate::description::type_of;
use crate::histories::call::Call;
use crate::query::encoded;
use codegen::model::{Feed, Field, FilterBy, Kind, Pages};

/// The sizes of pages, and where they start.
const SIZES: [usize; 5] = [1, 2, 3, 7, 20];
const STARTS: [usize; 14] = [0, 1, 2, 3, 4, 6, 7, 8, 13, 14, 19, 20, 21, 1000];

/// How many callers read their feeds.
const CALLERS: usize = 5;

impl Lister {
    pub(super) fn query(&mut self) {
        let operation = self.called.1;
        let is_known = |name: &str| operation.query.iter().any(|field| field.name == name);
        for name in self.vocabulary.iter().filter(|name| !is_known(name)) {
            self.edit(format!("unknown parameter {name}"), move |call, _| {
                call.query.push(format!("{name}=1"));
            });
        }
        for field in &operation.query {
            self.parameter(field, operation.feed.as_ref());
        }
        for (lower, upper) in &operation.constraints {
            for (a, b) in [("2", "1"), ("1", "1"), ("1", "2")] {
                self.edit(format!("{lower} is {a}, {upper} is {b}"), move |call, _| {
                    set(call, lower, a);
                    set(call, upper, b);
                });
            }
        }
        self.synonyms();
        if let Some(pages) = &operation.pages {
            self.pages(pages);
        }
        if let Some(feed) = &operation.feed {
            self.feed(feed);
        }
    }

    fn parameter(&mut self, field: &'static Field, feed: Option<&'static Feed>) {
        let name = field.name.as_str();
        let of = type_of(self.model, &field.of);
        let given = texts(of, self.is_strict);
        let broken = broken_encodings(self.is_strict).iter().map(|text| (*text).to_owned());
        // What is encoded is named as it is sent.
        let all = given.iter().map(|text| (shown(text), encoded(text)));
        let all = all.chain(broken.map(|text| (text.clone(), text)));
        let all: Vec<_> = all.chain([(String::new(), String::new())]).collect();
        for (shown, text) in all {
            self.edit(format!("{name} is {shown}"), move |call, _| {
                if let Some(feed) = feed.filter(|feed| feed.after != name) {
                    // A feed from now on answers without waiting.
                    let waits = feed.wait.as_deref() == Some(name);
                    set(call, &feed.after, if waits { "now" } else { "0" });
                }
                set(call, name, &text);
            });
        }
        self.edit(format!("{name} twice"), move |call, _| {
            let key = format!("{name}=");
            let pair = call.query.iter().find(|pair| pair.starts_with(&key)).cloned();
            let pair = pair.unwrap_or_else(|| format!("{name}=1"));
            call.query.retain(|one| *one != pair);
            call.query.extend([pair.clone(), pair]);
        });
        self.edit(format!("no {name}"), move |call, _| remove(call, name));
        self.edit(format!("misspelt {name}"), move |call, _| {
            call.query.push(format!("{name}s=1"))
        });
        if matches!(field.of.kind, Kind::Flag) {
            for other in self.called.1.query.iter().filter(|other| other.name != field.name) {
                let of = type_of(self.model, &other.of);
                if let Some(text) = texts(of, self.is_strict).into_iter().next_back() {
                    let other = other.name.as_str();
                    self.edit(format!("{name} and {other}"), move |call, _| {
                        set(call, name, "true");
                        set(call, other, &encoded(&text));
                    });
                }
            }
        }
    }

    /// Values of filters with synonyms: a word of each group, those that a word of another group contains, and misspelt ones, to
    /// which names are near.
    fn synonyms(&mut self) {
        const MISSPELT: usize = 10;
        let operation = self.called.1;
        let Some(listed) = operation.listed() else { return };
        for filter in &operation.filters {
            let (FilterBy::Query(name, _), Some(synonyms)) = (&filter.by, self.model.synonyms_of(listed, filter))
            else {
                continue;
            };
            let each = synonyms.groups.iter().filter_map(|group| group.last());
            let each = each.map(String::as_str);
            let parts = overlaps(&synonyms.groups).into_iter().map(|(part, _)| part);
            let misspelt = each
                .clone()
                .step_by(MISSPELT)
                .filter_map(|word| Some((word, word.chars().last()?)));
            let misspelt: Vec<String> = misspelt.map(|(word, last)| format!("{word}{last}")).collect();
            let all = each.chain(parts).map(str::to_owned).chain(misspelt);
            for text in all.collect::<Vec<_>>() {
                self.edit(format!("{name} is {}", shown(&text)), move |call, _| {
                    call.query = vec![format!("{name}={}", encoded(&text))];
                });
            }
        }
    }

    fn pages(&mut self, pages: &'static Pages) {
        let from = pages.offset.as_ref().or(pages.number.as_ref());
        let starts = if from.is_some() { &STARTS[..] } else { &STARTS[..1] };
        for size in SIZES {
            for start in starts {
                self.edit(format!("page of {size} from {start}"), move |call, _| {
                    set(call, &pages.size, &size.to_string());
                    if let Some(from) = from {
                        set(call, from, &start.to_string());
                    }
                });
            }
        }
    }

    /// Each of some callers reads its feed: from the start, in parts, and some kinds of events only.
    fn feed(&mut self, feed: &'static Feed) {
        let Some(own) = self.model.credential_of(self.called.0) else {
            return;
        };
        let kind = own.name.as_str();
        let types = self
            .called
            .1
            .query
            .iter()
            .filter(|field| Some(&field.name) == feed.types.as_ref());
        let types: Vec<_> = types
            .flat_map(|field| texts(type_of(self.model, &field.of), self.is_strict))
            .collect();
        let parts = SIZES.map(|size| (feed.size.as_str(), size.to_string()));
        let types = types
            .into_iter()
            .filter_map(|types| Some((feed.types.as_deref()?, types)));
        for (name, text) in parts.into_iter().chain(types) {
            for nth in 0..CALLERS {
                let encoded = encoded(&text);
                self.try_edit(
                    format!("{name} is {}, caller {}", shown(&text), nth + 1),
                    move |call, known| {
                        let all = known.credentials.iter().enumerate();
                        let mut living = all.filter(|(_, one)| one.kind == kind && !one.has_ended);
                        let caller = living.nth(nth).ok_or("there are too few callers")?;
                        call.credential = Some(caller.0);
                        call.query = vec![format!("{}=0", feed.after), format!("{name}={encoded}")];
                        Ok(())
                    },
                );
            }
        }
    }
}

/// Words that a word of another group contains, and that one.
pub(super) fn overlaps(groups: &'static [Vec<String>]) -> Vec<(&'static str, &'static str)> {
    let words = |group: &'static Vec<String>| group.iter().map(String::as_str);
    let pairs = groups.iter().flat_map(|group| {
        let others = groups.iter().filter(move |other| !std::ptr::eq(*other, group));
        words(group).flat_map(move |part| {
            let wholes = others.clone().flat_map(words);
            wholes
                .filter(move |whole| whole.contains(part))
                .map(move |whole| (part, whole))
        })
    });
    pairs.collect()
}

/// The call without this parameter.
fn remove(call: &mut Call, name: &str) {
    let key = format!("{name}=");
    call.query.retain(|pair| !pair.starts_with(&key));
}

/// The call with this value, which is encoded already, of a parameter.
fn set(call: &mut Call, name: &str, text: &str) {
    remove(call, name);
    call.query.push(format!("{name}={text}"));
}
