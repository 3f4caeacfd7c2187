//! The items of a list: made once for all its tests, by the contract's own operations, with known values.
//!
//! No other test adds items there: a list of the caller's own, or of a named resource, belongs to this test. Any other list is
//! requested in a separate world, or with a text that nothing else has.

use crate::attempt::Attempt;
use crate::lists::description::{Filter, List};
use crate::lists::filters::Record;
use crate::lists::maker::Maker;
use crate::stage::Stage;
use crate::suite::leave_out;
use crate::types::Type;
use crate::value::{Value, first_member, nth_text, word};
use crate::world::World;
use codegen::model::{FilterBy, Matching, Source};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

/// The items of a list, and their stage.
pub(crate) struct Rows {
    pub(crate) world: &'static dyn World,
    /// The caller and the resources of the list.
    pub(crate) stage: Stage,
    /// The plan that the caller needs to make them.
    pub(crate) plan: Option<&'static str>,
    pub(crate) mark: Option<Mark>,
    pub(crate) rows: Vec<Row>,
    /// Whether another caller would see other items.
    pub(crate) are_the_callers: bool,
}

/// An item and its record.
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) record: Record,
    /// The request that made it; `None` if it existed before, or the world made it.
    pub(crate) made_by: Option<String>,
}

/// A text that only these items have: a list filtered by it shows them alone.
#[derive(Clone)]
pub(crate) struct Mark {
    pub(crate) parameter: &'static str,
    /// Its place in a body.
    pub(crate) place: String,
    pub(crate) text: String,
}

impl Mark {
    pub(crate) fn value(&self) -> Value {
        word(&self.text)
    }
}

impl List {
    pub(crate) fn filters(&self) -> &[Filter] {
        self.filters.as_deref().unwrap_or_default()
    }

    /// Whether the list belongs to the caller or to a resource in the path, so that no other test adds items.
    pub(crate) fn is_scoped(&self) -> bool {
        let scopes = |filter: &Filter| matches!(filter.declared.by, FilterBy::Caller | FilterBy::Path(_));
        self.filters().iter().any(scopes)
    }
}

impl Attempt {
    pub(crate) fn list(&self) -> &'static List {
        let list = self.operation.list();
        list.unwrap_or_else(|| panic!("{} is no list whose rows can be told apart", self.operation.name))
    }

    /// The items of the list; `None` if it has other items that cannot be distinguished from them.
    pub(crate) fn rows(&self, tried: &[&str]) -> Option<Arc<Rows>> {
        if self.list().is_scoped() {
            return self.rows_of(None, || Some((self.world, None)));
        }
        let apart = || Some((self.world.apart()?, None));
        if let Some(rows) = self.rows_of(None, apart) {
            return Some(rows);
        }
        let marked = self.list().filters().iter().filter(|one| !tried.contains(&one.name));
        let Some((filter, mark)) = marked.filter_map(|one| Some((one, self.mark(one)?))).next() else {
            leave_out("the list shows the records of all callers, and no filter tells those of the test from others");
            return None;
        };
        self.rows_of(Some(filter.name), || Some((self.world, Some(mark))))
    }

    /// The items of this key, made on first use.
    fn rows_of(
        &self,
        marked: Option<&'static str>,
        place: impl FnOnce() -> Option<(&'static dyn World, Option<Mark>)>,
    ) -> Option<Arc<Rows>> {
        type Key = (usize, usize, Option<&'static str>);
        type SharedRows = Arc<OnceLock<Option<Arc<Rows>>>>;
        static ALL: LazyLock<Mutex<HashMap<Key, SharedRows>>> = LazyLock::new(Mutex::default);
        let world = std::ptr::from_ref(self.world).addr();
        let key = (world, std::ptr::from_ref(self.operation).addr(), marked);
        let shared = Arc::clone(ALL.lock().expect("no test panics in here").entry(key).or_default());
        let make = || {
            let (world, mark) = place()?;
            let attempt = self.clone().in_world(world);
            Some(Arc::new(Maker::for_attempt(&attempt, mark).rows()))
        };
        shared.get_or_init(make).clone()
    }

    /// A text that no item has yet, if this filter takes one and items can have one.
    pub(crate) fn mark(&self, filter: &Filter) -> Option<Mark> {
        let is_search = matches!(filter.declared.by, FilterBy::Query(_, Matching::Words));
        let mark = self.mark_of_one(filter).filter(|_| !is_search);
        mark.filter(|mark| !self.is_unique(mark))
    }

    /// The same for a single item.
    pub(crate) fn mark_of_one(&self, filter: &Filter) -> Option<Mark> {
        let FilterBy::Query(parameter, Matching::Equal | Matching::Part | Matching::Words) = &filter.declared.by else {
            return None;
        };
        let creator = self.list().creator.as_ref()?;
        let member = creator.operation.body?.member(filter.declared.field.field())?;
        let (place, of) = marked_place(&filter.declared.field, member.of)?;
        let Type::Text { max, .. } = of else { return None };
        let text = nth_text(Some(of), unique_number());
        let fits = max.is_none_or(|max| text.chars().count() <= max);
        fits.then_some(Mark { parameter, place, text })
    }

    /// Whether one item only can have the text.
    fn is_unique(&self, mark: &Mark) -> bool {
        let creator = self.list().creator.as_ref();
        let mut texts = creator.into_iter().flat_map(|creator| creator.operation.unique_texts());
        texts.any(|given| given.each.unwrap_or(given.member) == first_member(&mark.place))
    }
}

/// A number that no other run has had.
pub(crate) fn unique_number() -> usize {
    static LAST: AtomicUsize = AtomicUsize::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let nth = usize::try_from(now.as_millis()).unwrap_or_default() % (1 << 40);
    nth * 100 + LAST.fetch_add(1, Ordering::Relaxed)
}

/// The place of a filter's text in a body, and its type.
pub(crate) fn marked_place(source: &Source, of: &'static Type) -> Option<(String, &'static Type)> {
    let field = source.field();
    match (of, source) {
        (
            Type::List {
                of: Type::Object(members),
                ..
            },
            Source::Each(_, pick),
        ) => {
            let member = members.iter().find(|member| member.name == pick)?;
            Some((format!("{field}[0].{pick}"), member.of))
        }
        (_, Source::Each(..)) => None,
        (Type::List { of, .. }, _) => Some((format!("{field}[0]"), of)),
        (of, _) => Some((field.to_owned(), of)),
    }
}
