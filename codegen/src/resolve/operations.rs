//! Resolves surfaces and their operations.

use super::Resolver;
use super::words::{known, lookup, status, text, texts};
use crate::model::{
    BodyUse, Consequence, Data, Exists, Feed, Field, FieldIs, FileBody, Filter, FilterBy, Guard, GuardKind, IdSource,
    Kind, Mcp, Operation, Order, Orders, Segment, SortKey, Source, Surface, Tool, Transitions, Type, ValueCounts,
};
use crate::syntax::{self, KeyParts, Num, Word};

impl Resolver<'_> {
    pub(super) fn surface(&self, name: &Word, surface: &syntax::Surface) -> Surface {
        Surface {
            name: text(name),
            doc: surface.doc.as_ref().map(text),
            base: surface.base.text.trim_end_matches('/').to_owned(),
            credential: surface.credential.as_ref().map(text),
            limits: texts(&surface.limits),
            has_envelope: surface.envelope.is_none(),
            mcp: surface.mcp.as_ref().map(mcp),
            operations: surface
                .endpoints
                .iter()
                .map(|(name, of)| match (of.tried(surface), of.counted(surface)) {
                    (Some((_, tried)), _) => self.dry_run(surface, (name, of), tried),
                    (_, Some((list, counted))) => self.counts(surface, (name, of), (list, counted)),
                    _ => self.operation(surface, name, of),
                })
                .collect(),
            at: name.at,
        }
    }

    /// The request of the tried endpoint, with a path and a response of its own.
    fn dry_run(
        &self,
        surface: &syntax::Surface,
        (name, own): (&Word, &syntax::Endpoint),
        tried: &syntax::Endpoint,
    ) -> Operation {
        let dry_run = own.dry_run.clone();
        let own = self.operation(surface, name, own);
        let tried = self.operation(surface, name, tried);
        Operation {
            path: tried.path,
            query: tried.query,
            constraints: tried.constraints,
            body: tried.body,
            max_bytes: tried.max_bytes,
            max_bytes_at: tried.max_bytes_at,
            guards: tried.guards,
            open: tried.open,
            quotas: tried.quotas,
            rules: tried.rules,
            example: if own.example.is_empty() {
                tried.example
            } else {
                own.example
            },
            keep_seconds: None,
            no_event: Some(own.at),
            dry_run,
            ..own
        }
    }

    /// The request of the counted list, without its pages, its order and what filters by the counted field alone.
    fn counts(
        &self,
        surface: &syntax::Surface,
        (name, own): (&Word, &syntax::Endpoint),
        (list, counted): (&Word, &syntax::Endpoint),
    ) -> Operation {
        let declared = own.counts.as_ref().expect("only such an endpoint counts");
        let own = self.operation(surface, name, own);
        let list = self.operation(surface, list, counted);
        let resource = list.listed().expect("checked: it is a list").to_owned();
        let used = known(&known(&self.spec.resources, &resource).fields, &declared.by.text);
        let field = self.field(&declared.by, used);
        let value = Field {
            of: Type {
                optional: false,
                default: None,
                ..field.of
            },
            ..field
        };
        let is_own = |filter: &Filter| {
            matches!(filter.by, FilterBy::Query(..))
                && filter.others.is_empty()
                && filter.through.is_none()
                && matches!(&filter.field, Source::Stored(field) if *field == declared.by.text)
        };
        let filters: Vec<Filter> = list.filters.iter().filter(|filter| !is_own(filter)).cloned().collect();
        let is_left_out = |parameter: &str| {
            let takes = |filter: &Filter| matches!(&filter.by, FilterBy::Query(by, _) if by == parameter);
            !filters.iter().any(takes)
        };
        let is_kept = |(name, _): &&(String, String)| !is_left_out(name);
        Operation {
            query: list
                .query
                .iter()
                .filter(|field| !is_left_out(&field.name))
                .cloned()
                .collect(),
            constraints: list
                .constraints
                .iter()
                .filter(|(lower, upper)| !is_left_out(&lower.text) && !is_left_out(&upper.text))
                .cloned()
                .collect(),
            guards: list.guards.clone(),
            open: list.open.clone(),
            example: match own.example.is_empty() {
                true => list.example.iter().filter(is_kept).cloned().collect(),
                false => own.example,
            },
            filters,
            data: Some(Data::Counts(Box::new(ValueCounts {
                list: declared.list.clone(),
                resource,
                value,
                max: declared.max.small(),
                at: declared.at,
            }))),
            ..own
        }
    }

    fn operation(&self, surface: &syntax::Surface, name: &Word, endpoint: &syntax::Endpoint) -> Operation {
        let success = &endpoint.success;
        let max_bytes = endpoint.max_bytes.unwrap_or(self.spec.api.body.max_bytes);
        Operation {
            name: text(name),
            doc: endpoint.doc.as_ref().map(text),
            method: endpoint.method.clone(),
            route: text(&endpoint.route),
            segments: segments(&endpoint.route.text),
            path: self.fields(&endpoint.path),
            query: self.query(surface, endpoint),
            constraints: endpoint.constraints.clone(),
            sort: sort_keys(endpoint.sort.default_keys()),
            orders: endpoint.sort.chosen.as_ref().map(orders),
            filters: self.filters(endpoint),
            pages: endpoint.pages.clone(),
            // `meaning` resolves it.
            nearest: Vec::new(),
            body: endpoint.body.as_ref().map(|body| match body {
                syntax::BodyUse::Named(name) => BodyUse::Named(text(name)),
                syntax::BodyUse::Inline(body) => BodyUse::Inline(self.body(body)),
            }),
            file: endpoint.file.as_ref().map(|file| FileBody {
                types: texts(&file.types),
                max_seconds: file.max_seconds.unwrap_or(self.spec.api.body.max_seconds).whole(),
                min_rate: file.min_rate.as_ref().or(self.spec.api.body.min_rate.as_ref()).cloned(),
                at: file.at,
            }),
            max_bytes: max_bytes.whole(),
            max_bytes_at: max_bytes.at,
            waits_at_once: endpoint.waits_at_once.map(Num::small),
            keep_seconds: endpoint.keep_seconds(self.spec, surface),
            limit: self.limit(surface, &endpoint.method.text),
            guards: self.guards(endpoint),
            open: endpoint.open.as_ref().map(text),
            quotas: endpoint.quotas.clone(),
            transitions: endpoint.transitions.as_ref().map(|place| self.transitions(place)),
            effects: Vec::new(),
            dry_run: None,
            tried: Vec::new(),
            feed: endpoint.feed.as_ref().map(feed),
            no_event: endpoint.event.as_ref().map(|none| none.at),
            undeclared: endpoint.undeclared.as_ref().map(text),
            consequence: endpoint.consequence.as_ref().map(consequence),
            rules: endpoint.errors.clone(),
            status: success.status.map_or(200, status),
            has_envelope: surface.envelope.is_none() && endpoint.envelope.is_none(),
            data: match (&success.data, &endpoint.feed) {
                (None, Some(_)) => Some(Data::Events),
                (data, _) => data.as_ref().map(|data| self.data(data)),
            },
            answers: Vec::new(),
            content_of: success.file.as_ref().map(text),
            message: success.message.as_ref().map(text),
            siblings: match &endpoint.feed {
                Some(_) => Feed::SIBLINGS.map(str::to_owned).into(),
                None => texts(&success.siblings),
            },
            // `meaning` resolves it.
            headers: Vec::new(),
            example: endpoint
                .example
                .iter()
                .map(|(name, value)| (text(name), text(value)))
                .collect(),
            tool: endpoint.tool.as_ref().map(tool),
            at: name.at,
        }
    }

    fn query(&self, surface: &syntax::Surface, endpoint: &syntax::Endpoint) -> Vec<Field> {
        let credential = surface.credential.as_ref();
        let credential = credential.and_then(|name| lookup(&self.spec.credentials, &name.text));
        let caller = credential.and_then(|credential| credential.caller.as_ref()).map(text);
        let mut fields = self.fields(&endpoint.query);
        for field in &mut fields {
            if let Kind::EventNames(of) = &mut field.of.kind {
                *of = caller.clone().unwrap_or_default();
            }
        }
        fields
    }

    fn transitions(&self, place: &Word) -> Transitions {
        let parts = place.text.split_once('.');
        let (resource, field) = parts.expect("checked: transitions name Resource.field");
        Transitions {
            resource: resource.to_owned(),
            states: self.enum_of(resource, field),
            at: place.at,
        }
    }

    fn limit(&self, surface: &syntax::Surface, method: &str) -> Option<String> {
        surface
            .limits
            .iter()
            .find(|name| {
                known(&self.spec.limits, &name.text)
                    .methods
                    .iter()
                    .any(|word| word.text == method)
            })
            .map(text)
    }

    fn guards(&self, endpoint: &syntax::Endpoint) -> Vec<Guard> {
        let guard = |guard: &syntax::Guard| {
            let (kind, at) = match guard {
                syntax::Guard::Plan(plan) => (GuardKind::Plan(text(plan)), plan.at),
                syntax::Guard::Exists { resource, parent } => {
                    let exists = self.exists(endpoint, resource, parent.as_ref());
                    (GuardKind::Exists(exists), resource.at)
                }
                syntax::Guard::Owner(resource) => (GuardKind::Owner(text(resource)), resource.at),
            };
            Guard { kind, at }
        };
        let mut guards: Vec<Guard> = endpoint.guards.iter().map(guard).collect();
        guards.sort_by_key(|guard| guard.kind.step());
        guards
    }

    fn exists(&self, endpoint: &syntax::Endpoint, resource: &Word, parent: Option<&Word>) -> Exists {
        let ids = endpoint.guarded_ids(self.spec, &resource.text);
        let name = text(ids.names.first().expect("checked: the guard has a target"));
        let source = match endpoint.ids_in_path(&resource.text).next() {
            Some(_) => IdSource::Path(name),
            None => IdSource::Body(name),
        };
        let parent = parent.map(|parent| {
            let id = format!("{}.id", parent.text);
            let fields = &known(&self.spec.resources, &resource.text).fields;
            let field = fields.iter().find(|(_, used)| used.name.text == id);
            (text(parent), text(&field.expect("checked: the parent has a field").0))
        });
        Exists {
            resource: text(resource),
            id: source,
            is_optional: ids.are_optional,
            parent,
        }
    }

    fn data(&self, data: &syntax::Data) -> Data {
        match data {
            syntax::Data::Members(members) => Data::Members(self.fields(members)),
            syntax::Data::View(used) => {
                let (resource, view) = used
                    .name
                    .text
                    .split_once('.')
                    .expect("checked: data names Resource.view");
                let (resource, view) = (resource.to_owned(), view.to_owned());
                if used.list {
                    Data::Many { resource, view }
                } else {
                    Data::One { resource, view }
                }
            }
        }
    }
}

fn consequence(consequence: &syntax::Consequence) -> Consequence {
    let when = consequence.when.as_ref().and_then(Option::as_ref);
    Consequence {
        text: text(&consequence.text),
        when: when.map(|is| FieldIs {
            field: text(&is.field),
            not: is.not,
            values: texts(&is.values),
        }),
        at: consequence.at,
    }
}

fn feed(feed: &syntax::Feed) -> Feed {
    Feed {
        after: text(&feed.after),
        types: feed.types.as_ref().map(text),
        size: text(&feed.size),
        wait: feed.wait.as_ref().map(text),
        tool_wait: feed.tool_wait.map(Num::whole),
        at: feed.at,
    }
}

fn mcp(mcp: &syntax::Mcp) -> Mcp {
    Mcp {
        path: text(&mcp.path),
        instructions: mcp.instructions.as_ref().map(text),
        at: mcp.at,
        path_at: mcp.path.at,
    }
}

fn tool(tool: &syntax::Tool) -> Tool {
    match tool {
        syntax::Tool::Off(at) => Tool::Off(*at),
        syntax::Tool::Worded(words) => Tool::Worded {
            name: words.name.as_ref().map(text),
            doc: words.doc.as_ref().map(text),
            at: words.at,
        },
    }
}

fn segments(route: &str) -> Vec<Segment> {
    route
        .split('/')
        .skip(1)
        .map(|segment| match segment.strip_prefix(':') {
            Some(name) => Segment::Parameter(name.to_owned()),
            None => Segment::Literal(segment.to_owned()),
        })
        .collect()
}

fn orders(chosen: &syntax::Orders) -> Orders {
    let order = |(name, keys): &(Word, Vec<Word>)| Order {
        name: text(name),
        keys: sort_keys(keys),
    };
    Orders {
        by: text(&chosen.by),
        all: chosen.orders.iter().map(order).collect(),
    }
}

fn sort_keys(keys: &[Word]) -> Vec<SortKey> {
    let key = |key: KeyParts| SortKey {
        field: text(&key.field),
        descends: key.descends,
        nulls: key.nulls,
    };
    keys.iter().filter_map(KeyParts::parse).map(key).collect()
}
