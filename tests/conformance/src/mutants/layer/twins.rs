//! Twins: a copy of every caller and resource of the suite, which the suite does not know. A write to a twin is acknowledged
//! and leaves the original unchanged.

use super::envelope::row_of;
use super::{Inside, Made, Twins, data_name, error_member, is_success, json_of, parameters, with_json, with_parameter};
use crate::contract::{Credential, Operation, Step};
use crate::mutants::place::{Place, leaves};
use crate::template::{filled, holds};
use crate::types::Type;
use crate::world::{Arranged, Caller, Request, Response, Standing};
use serde_json::Value as Json;

impl Inside {
    fn twins(&self) -> Option<Twins> {
        self.mutant
            .as_ref()
            .map(|mutant| mutant.twins)
            .filter(|twins| *twins != Twins::None)
    }

    pub(super) fn twin_caller(&self, caller: &Caller, credential: &'static Credential, plan: Option<&str>) {
        let Some(twins) = self.twins() else { return };
        let needed = self.mutant.as_ref().and_then(|mutant| mutant.operation.plan);
        let plan = if twins == Twins::Without(Step::Plan) && plan.is_some() {
            needed.or(plan)
        } else {
            plan
        };
        let twin = self.world.caller(credential, plan);
        self.made.pair_callers(caller, &twin);
    }

    pub(super) fn twin_change(&self, caller: &Caller, to: Standing<'_>) {
        let omitted = match to {
            Standing::Plan(_) => Twins::Without(Step::Plan),
            Standing::Suspended => Twins::Without(Step::Suspended),
            Standing::Ended => Twins::Without(Step::Credential),
        };
        if let Some(twins) = self.twins()
            && twins != omitted
        {
            let twin = self.made.twin_of(caller);
            if twin.secret != caller.secret {
                self.world.change(&twin, to);
            }
        }
    }

    pub(super) fn twin_resource(&self, resource: &str, id: i64, caller: &Caller, within: Option<(&str, i64)>) {
        if self.twins().is_none() {
            return;
        }
        let within = within.map(|(name, id)| (name, self.made.twin_id(name, id)));
        let twin = self.world.make(resource, &self.made.twin_of(caller), within);
        self.made.pair(resource, id, twin);
    }

    pub(super) fn twin_arranged(&self, arranged: &Arranged) -> Arranged {
        Arranged(
            arranged
                .0
                .iter()
                .map(|(name, id)| (*name, self.made.twin_id(name, *id)))
                .collect(),
        )
    }

    pub(super) fn twin_prepare(&self, operation: &str, caller: &Caller, arranged: &Arranged) {
        if self.twins().is_some() {
            self.world
                .prepare(operation, &self.made.twin_of(caller), &self.twin_arranged(arranged));
        }
    }

    pub(super) fn twin_arrange(&self, row: &str, caller: &Caller, arranged: &Arranged) {
        let Some(twins) = self.twins() else { return };
        let is_omitted = matches!(twins, Twins::Without(Step::Rule(omitted)) if omitted == row);
        if !is_omitted {
            self.world
                .arrange(row, &self.made.twin_of(caller), &self.twin_arranged(arranged));
        }
    }

    /// The same request, about twins and by a twin.
    pub(crate) fn of_twins(&self, operation: &'static Operation, request: &Request) -> Request {
        let mut twin = request.clone();
        for (name, text) in parameters(operation, request) {
            let declared = operation
                .parameters
                .iter()
                .find(|one| one.name == name)
                .map(|one| one.of);
            if let (Some(Type::Id(resource)), Ok(id)) = (declared, text.parse::<i64>()) {
                let id = self.made.twin_id(resource, id).to_string();
                twin = with_parameter(operation, &twin, name, &id);
            }
        }
        if let (Some(body), Some(mut json)) = (operation.body, json_of(request)) {
            let before = json.clone();
            self.exchange(body, &Place::default(), &mut json, |made, resource, id| {
                made.twin_id(resource, id)
            });
            if json != before {
                // A body that is too large stays so.
                let length = request.body.as_ref().map_or(0, Vec::len);
                let mut bytes = json.to_string().into_bytes();
                bytes.resize(bytes.len().max(length), b' ');
                twin.body = Some(bytes);
            }
        }
        if let Some(kind) = operation.credential {
            for (_, secret) in twin.headers.iter_mut().filter(|(name, _)| name == kind.header) {
                *secret = self.made.twin_secret(secret);
            }
        }
        twin
    }

    fn exchange(&self, of: &'static Type, root: &Place, json: &mut Json, other: fn(&Made, &str, i64) -> i64) {
        for (place, kind) in leaves(of, root) {
            if let Type::Id(resource) = kind {
                place.values(json, &mut |value| {
                    if let Some(id) = value.as_i64() {
                        *value = other(&self.made, resource, id).into();
                    }
                });
            }
        }
    }

    /// The twins' answer, rewritten as if it was about the originals.
    pub(crate) fn told_of_originals(
        &self,
        operation: &'static Operation,
        request: &Request,
        response: Response,
    ) -> Response {
        if is_success(&response) {
            let root = Place::default().member(data_name(self.contract));
            let Some(of) = operation.data else { return response };
            let back = |made: &Made, resource: &str, id: i64| made.original_id(resource, id);
            return with_json(&response, |json| self.exchange(of, &root, json, back)).unwrap_or(response);
        }
        let Some(row) = row_of(self.contract, &response) else {
            return response;
        };
        let ids = self.twins_of_named(operation, request);
        let text = error_member(self.contract, "text").unwrap_or_default();
        let told = with_json(&response, |json| {
            let said = holds(row.text, &[], json[text].as_str().unwrap_or_default()).unwrap_or_default();
            let back = |value: &String| {
                let original = ids.iter().find(|(twin, _)| twin == value);
                original.map_or_else(|| value.clone(), |(_, id)| id.clone())
            };
            let values: Vec<_> = said.iter().map(|(name, value)| (name.as_str(), back(value))).collect();
            json[text] = filled(row.text, &values).into();
        });
        told.unwrap_or(response)
    }

    /// The ids that the request names, each after that of its twin.
    fn twins_of_named(&self, operation: &'static Operation, request: &Request) -> Vec<(String, String)> {
        let in_path = |name: &str| operation.parameters.iter().find(|one| one.name == name);
        parameters(operation, request)
            .into_iter()
            .chain(ids_of_body(operation, request))
            .filter_map(|(name, text)| {
                let of = in_path(name).map(|one| one.of).or_else(|| member_of(operation, name))?;
                let Type::Id(resource) = of else { return None };
                let id = text.parse::<i64>().ok()?;
                Some((self.made.twin_id(resource, id).to_string(), id.to_string()))
            })
            .collect()
    }
}

fn ids_of_body(operation: &'static Operation, request: &Request) -> Vec<(&'static str, String)> {
    let json = json_of(request).unwrap_or_default();
    let Some(Type::Object(members)) = operation.body else {
        return Vec::new();
    };
    let ids = members.iter().filter(|member| matches!(member.of, Type::Id(_)));
    ids.map(|member| (member.name, json[member.name].to_string())).collect()
}

fn member_of(operation: &'static Operation, name: &str) -> Option<&'static Type> {
    let Some(Type::Object(members)) = operation.body else {
        return None;
    };
    members
        .iter()
        .find(|member| member.name == name)
        .map(|member| member.of)
}
