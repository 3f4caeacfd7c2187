//! Resolves filters and pages.

use super::Resolver;
use super::words::{known, lookup, text};
use crate::model::{Field, Filter, FilterBy, Kind};
use crate::syntax::{self, Data, Endpoint, Word};

impl Resolver<'_> {
    pub(super) fn filters(&self, endpoint: &Endpoint) -> Vec<Filter> {
        let Some(Data::View(used)) = &endpoint.success.data else {
            return Vec::new();
        };
        let (resource, _) = used
            .name
            .text
            .split_once('.')
            .expect("checked: data names Resource.view");
        let resource = known(&self.spec.resources, resource);
        let other = |other: &Word| {
            let (field, Field { of, .. }) = self.source(resource, other);
            (field, of)
        };
        let filter = |filter: &syntax::Filter| {
            let (through, resource, source) = match filter.followed() {
                Some((id, source)) => {
                    let Kind::Id(next) = self.of(known(&resource.fields, &id.text)).kind else {
                        unreachable!("checked: an id leads to another record")
                    };
                    let resource = known(&self.spec.resources, &next);
                    (Some((text(&id), next)), resource, source)
                }
                None => (None, resource, filter.field.clone()),
            };
            let (field, Field { of, .. }) = self.source(resource, &source);
            Filter {
                by: by(endpoint, &filter.by),
                field,
                through,
                of,
                others: filter.others.iter().map(other).collect(),
                synonyms: filter.synonyms.as_ref().and_then(|of| {
                    let (resource, field) = of.text.split_once('.')?;
                    Some((resource.to_owned(), field.to_owned()))
                }),
                at: filter.at,
            }
        };
        endpoint.filters.iter().map(filter).collect()
    }
}

fn by(endpoint: &Endpoint, by: &syntax::FilterBy) -> FilterBy {
    match by {
        syntax::FilterBy::Caller(_) => FilterBy::Caller,
        syntax::FilterBy::Value(value) => FilterBy::Value(text(value)),
        syntax::FilterBy::Parameter(name, _) if lookup(&endpoint.path, &name.text).is_some() => {
            FilterBy::Path(text(name))
        }
        syntax::FilterBy::Parameter(name, matching) => FilterBy::Query(text(name), *matching),
    }
}
