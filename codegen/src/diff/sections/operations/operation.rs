//! Compares the endpoints of a surface: added, removed and renamed operations, and their requirements and descriptions.
//! Requests and answers are compared in other files.

use super::{answers, envelopes, files, guards, lists, requests, response_headers};
use crate::diff::matching::{MatchedSurface, address, name_of, request_line};
use crate::diff::output::{Comparison, OperationPair, PathPair, Rule, descriptions, line};
use crate::diff::sections::service::{bounds, errors, idempotency, in_flight};
use crate::model::{Data, Operation, SortKey};
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>, place: &PathPair, surface: &MatchedSurface<'_>) {
    for (old, new) in &surface.operations {
        let both = OperationPair {
            old,
            new,
            surface,
            parameters: requests::renamed(comparison.names, old, new),
            place: place.under(&old.name, &new.name),
            name: name_of(surface.new, new),
        };
        both.compare(comparison);
    }
    for operation in &surface.removed {
        let name = name_of(surface.old, operation);
        let successor = match comparison.paired.successor(operation) {
            Some((surface, operation)) => {
                let line = line(&surface.base, operation);
                format!("; `{line}` of the surface `{}` has the same name", surface.name)
            }
            None => String::new(),
        };
        let line = line(&surface.old.base, operation);
        let message = format!("`{line}` is removed{successor}");
        let path = place.join(&operation.name).old;
        comparison.removed(Rule::OperationRemoved, &path, BTreeSet::from([name]), message);
    }
    for operation in &surface.added {
        let name = name_of(surface.new, operation);
        let status = operation.status;
        let unheard = errors::unheard(comparison, status);
        let line = line(&surface.new.base, operation);
        let message = format!("`{line}` is added, with status {status}{unheard}");
        let path = place.join(&operation.name).new;
        comparison.added(Rule::OperationAdded, &path, BTreeSet::from([name]), message);
    }
}

impl OperationPair<'_> {
    fn compare(&self, comparison: &mut Comparison<'_>) {
        // Ignored fields are compared elsewhere, or derived from compared ones.
        let Operation {
            name: _,
            doc: _,
            method: _,
            route: _,
            segments: _,
            path: _,
            query: _,
            constraints: _,
            sort: _,
            orders: _,
            filters: _,
            pages: _,
            nearest: _,
            body: _,
            file: _,
            max_bytes: _,
            max_bytes_at: _,
            waits_at_once: _,
            keep_seconds: _,
            limit: _,
            guards: _,
            open: _,
            quotas: _,
            transitions: _,
            effects: _,
            dry_run: _,
            tried: _,
            feed: _,
            no_event: _,
            undeclared: _,
            consequence: _,
            rules: _,
            status: _,
            has_envelope: _,
            data: _,
            answers: _,
            content_of: _,
            message: _,
            siblings: _,
            headers: _,
            example: _,
            tool: _,
            at: _,
        } = self.new;
        self.place_of_requests(comparison);
        requests::compare(comparison, &self.place, &self.name, self.old, self.new);
        self.constraints(comparison);
        self.sort(comparison);
        lists::compare(comparison, self);
        self.max_bytes(comparison);
        files::compare(comparison, self);
        in_flight::of_operation(comparison, self);
        idempotency::of_operation(comparison, self);
        self.feed(comparison);
        guards::compare(comparison, self);
        answers::compare(comparison, &self.place, &self.name, self.old, self.new);
        self.success(comparison);
        let [was, is] = [self.old, self.new].map(|one| one.consequence.as_ref().map(ToString::to_string));
        comparison.shown(
            &self.place.join("consequence"),
            &self.new.name,
            (&was, &is),
            "consequence",
        );
    }

    fn place_of_requests(&self, comparison: &mut Comparison<'_>) {
        let (old, new) = (self.old, self.new);
        let has_moved = address(self.surface.old, old) != address(self.surface.new, new);
        // Another base path alone is reported at the surface.
        if has_moved && request_line(old) != request_line(new) {
            let base = &self.surface.new.base;
            let (is, was) = (line(base, new), line(&self.surface.old.base, old));
            let message = format!("`{}` is at `{is}`, was at `{was}`", new.name);
            let place = self.place.under(&old.method, &new.method);
            comparison.between(Rule::OperationMoved, &place, self.concerned(), message);
        }
        if old.name != new.name {
            let message = format!("`{}` is renamed to `{}`", old.name, new.name);
            let (rule, message) = match self.names_a_tool() {
                true => (Rule::ToolRenamed, message + ", and so is the tool"),
                false => (Rule::OperationRenamed, message),
            };
            comparison.between(rule, &self.place, self.concerned(), message);
        }
        if old.doc != new.doc {
            let message = descriptions::text(&new.name, old.doc.as_deref(), new.doc.as_deref());
            self.changed(comparison, Rule::OperationDocChanged, "doc", message);
        }
    }

    /// Whether its name is also the name of a tool, in both contracts.
    fn names_a_tool(&self) -> bool {
        let are_offered = self.surface.old.mcp.is_some() && self.surface.new.mcp.is_some();
        let mut both = [self.old, self.new].into_iter();
        are_offered && both.all(|operation| operation.is_tool() && operation.tool_name() == operation.name)
    }

    /// The parameters of a feed are also compared as parameters.
    fn feed(&self, comparison: &mut Comparison<'_>) {
        let (Some(old), Some(new)) = (&self.old.feed, &self.new.feed) else {
            return;
        };
        if self.parameter(&old.size) != new.size && old.wait.is_some() == new.wait.is_some() {
            let message = format!("`{}` is the size of a page, was `{}`", new.size, old.size);
            self.changed(comparison, Rule::MeaningChanged, "feed.size", message);
        }
        if let (Some(was), Some(is)) = (&old.wait, &new.wait)
            && self.parameter(was) != *is
        {
            let message = format!("`{is}` is the time to wait for an event, was `{was}`");
            self.changed(comparison, Rule::MeaningChanged, "feed.wait", message);
        }
        if old.tool_wait != new.tool_wait {
            let words = |seconds: Option<u64>| seconds.map_or("that of the parameter".to_owned(), |n| format!("`{n}`"));
            let (is, was) = (words(new.tool_wait), words(old.tool_wait));
            let message = format!("the time for which the tool waits if nothing is said is {is}, was {was}");
            self.changed(comparison, Rule::DefaultChanged, "feed.tool_wait", message);
        }
    }

    fn constraints(&self, comparison: &mut Comparison<'_>) {
        let was: Vec<_> = self
            .old
            .constraints
            .iter()
            .map(|(lower, upper)| (self.parameter(lower), self.parameter(upper)))
            .collect();
        let is: Vec<_> = self
            .new
            .constraints
            .iter()
            .map(|(lower, upper)| (lower.as_str(), upper.as_str()))
            .collect();
        for ((lower, upper), _) in self
            .old
            .constraints
            .iter()
            .zip(&was)
            .filter(|(_, one)| !is.contains(one))
        {
            let message = format!("`{lower}` can be greater than `{upper}`");
            self.removed(
                comparison,
                Rule::ConstraintRemoved,
                &format!("constraints.{lower} <= {upper}"),
                message,
            );
        }
        for (lower, upper) in is.iter().filter(|one| !was.contains(one)) {
            let message = format!("`{lower}` must not be greater than `{upper}`");
            self.added(
                comparison,
                Rule::ConstraintAdded,
                &format!("constraints.{lower} <= {upper}"),
                message,
            );
        }
    }

    /// Compares the default order, and those of the same name. Names of orders are values of an enum, which compares them.
    fn sort(&self, comparison: &mut Comparison<'_>) {
        let (old, new) = (self.old, self.new);
        if !matches!(
            (&old.data, &new.data),
            (Some(Data::Many { .. }), Some(Data::Many { .. }))
        ) {
            return;
        }
        let Some(now_chosen) = &new.orders else {
            return self.order(comparison, "sort", (&old.sort, &new.sort));
        };
        let Some(was_chosen) = &old.orders else {
            // A client that chooses no order gets the first one.
            return self.order(comparison, "sort", (&old.sort, &new.sort));
        };
        for was in &was_chosen.all {
            if let Some(is) = now_chosen.all.iter().find(|is| is.name == was.name) {
                self.order(comparison, &format!("sort.orders.{}", was.name), (&was.keys, &is.keys));
            }
        }
    }

    fn order(&self, comparison: &mut Comparison<'_>, key: &str, (old, new): (&[SortKey], &[SortKey])) {
        let Some(Data::Many { resource, .. }) = &self.old.data else {
            return;
        };
        let (was, is) = (deciding(old), deciding(new));
        let renamed: Vec<_> = was
            .iter()
            .map(|one| SortKey {
                field: comparison.names.field(resource, &one.field).to_owned(),
                ..one.clone()
            })
            .collect();
        let are_same = renamed.len() == is.len() && renamed.iter().zip(&is).all(|(was, is)| is_same_key(was, is));
        if !are_same {
            let message = format!("the list is sorted by {}, was by {}", order(&is), order(&was));
            self.changed(comparison, Rule::SortChanged, key, message);
        }
    }

    /// A bound inherited from the service in both contracts is compared there. Without a body there was no bound.
    fn max_bytes(&self, comparison: &mut Comparison<'_>) {
        let (was, is) = (self.old.max_bytes, self.new.max_bytes);
        let bounds_are_usual = was == comparison.old.body_max_bytes && is == comparison.new.body_max_bytes;
        let have_bodies = self.old.takes_body() && self.new.takes_body();
        if was != is && !bounds_are_usual && have_bodies {
            let (rule, message) = bounds::bytes(was, is);
            self.changed(comparison, rule, "max_bytes", message);
        }
    }

    fn success(&self, comparison: &mut Comparison<'_>) {
        let (old, new) = (self.old, self.new);
        if old.status != new.status {
            let unheard = errors::unheard(comparison, new.status);
            let message = format!("the status of a success is {}{unheard}, was {}", new.status, old.status);
            self.changed(comparison, Rule::SuccessStatusChanged, "success.status", message);
        }
        envelopes::of_operation(comparison, self);
        let key = "success.message";
        match (&old.message, &new.message) {
            (None, Some(is)) => self.added(
                comparison,
                Rule::MessageAdded,
                key,
                format!("a success now has the message `{is}`"),
            ),
            (Some(was), None) => {
                let message = format!("a success no longer has a message, was `{was}`");
                self.removed(comparison, Rule::MessageRemoved, key, message);
            }
            (Some(was), Some(is)) if was != is => {
                let message = format!("the message of a success is `{is}`, was `{was}`");
                self.changed(comparison, Rule::MessageChanged, key, message);
            }
            _ => {}
        }
        self.siblings(comparison);
        response_headers::compare(comparison, self);
    }

    /// A parameter beside the data has its name from the query. Its renaming is reported there.
    fn siblings(&self, comparison: &mut Comparison<'_>) {
        let was: Vec<&str> = self.old.siblings.iter().map(|name| self.parameter(name)).collect();
        for (name, now) in self.old.siblings.iter().zip(&was) {
            if !self.new.siblings.iter().any(|one| one == now) {
                let message = format!("`{name}` is no longer returned beside `data`");
                self.removed(
                    comparison,
                    Rule::SiblingRemoved,
                    &format!("success.siblings.{name}"),
                    message,
                );
            }
        }
        for name in self.new.siblings.iter().filter(|name| !was.contains(&name.as_str())) {
            let message = format!("`{name}` is now returned beside `data`");
            self.added(
                comparison,
                Rule::SiblingAdded,
                &format!("success.siblings.{name}"),
                message,
            );
        }
    }
}

/// The sort keys that decide: those up to `id`, which is unique. `id` is appended if it is not named.
fn deciding(sort: &[SortKey]) -> Vec<SortKey> {
    let mut keys = sort.to_vec();
    match keys.iter().position(|key| key.field == "id") {
        Some(id) => keys.truncate(id + 1),
        None if keys.is_empty() => {}
        None => keys.push(SortKey::new("id", false)),
    }
    keys
}

/// A field that could not be null, or can no longer be, has no nulls whose place would be another one.
fn is_same_key(was: &SortKey, is: &SortKey) -> bool {
    let nulls = was.nulls.zip(is.nulls);
    (&was.field, was.descends) == (&is.field, is.descends) && nulls.is_none_or(|(was, is)| was == is)
}

fn order(sort: &[SortKey]) -> String {
    let keys: Vec<String> = sort.iter().map(|key| format!("`{key}`")).collect();
    if keys.is_empty() {
        "nothing".to_owned()
    } else {
        keys.join(", ")
    }
}
