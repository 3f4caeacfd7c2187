//! Twins: a copy of every caller and resource of the suite, which the suite does not know. A write to a twin is acknowledged
//! and leaves the original unchanged.

use super::envelope::entry_of;
use super::{Inside, Registry, Shadows, idempotency_keys, is_success, json_of, parameters, with_json, with_parameter};
use crate::contract::Operation;
use crate::mutants::json_path::{JsonPath, leaves};
use crate::template::{fill_template, match_template};
use crate::types::{Type, named};
use crate::world::{Access, Caller, Request, RequestedResources, Response};
use codegen::model::Credential;
use codegen::step::Step;
use serde_json::Value as Json;

impl Inside {
    fn shadows(&self) -> Option<Shadows> {
        self.mutant
            .as_ref()
            .map(|mutant| mutant.shadows)
            .filter(|shadows| *shadows != Shadows::None)
    }

    pub(super) fn shadow_caller(&self, caller: &Caller, credential: &'static Credential, plan: Option<&str>) {
        let Some(shadows) = self.shadows() else { return };
        let needed = self.mutant.as_ref().and_then(|mutant| mutant.operation.plan);
        let plan = if shadows == Shadows::Without(Step::Plan) && plan.is_some() {
            needed.or(plan)
        } else {
            plan
        };
        let shadow = self.world.caller(credential, plan);
        self.registry.pair_callers(caller, &shadow);
    }

    pub(super) fn shadow_change(&self, caller: &Caller, to: Access<'_>) {
        let omitted = match to {
            Access::Plan(_) => Shadows::Without(Step::Plan),
            Access::Suspended => Shadows::Without(Step::Suspended),
            Access::Revoked => Shadows::Without(Step::Credential),
        };
        if let Some(shadows) = self.shadows()
            && shadows != omitted
        {
            let shadow = self.registry.shadow_of(caller);
            if shadow.secret != caller.secret {
                self.world.set_access(&shadow, to);
            }
        }
    }

    pub(super) fn shadow_resource(&self, resource: &str, id: i64, caller: &Caller, within: Option<(&str, i64)>) {
        if self.shadows().is_none() {
            return;
        }
        let within = within.map(|(name, id)| (name, self.registry.shadow_id(name, id)));
        let shadow = self.world.create(resource, &self.registry.shadow_of(caller), within);
        self.registry.pair(resource, id, shadow);
    }

    pub(super) fn shadow_arranged(&self, arranged: &RequestedResources) -> RequestedResources {
        RequestedResources(
            arranged
                .0
                .iter()
                .map(|(name, id)| (*name, self.registry.shadow_id(name, *id)))
                .collect(),
        )
    }

    pub(super) fn shadow_prepare(
        &self,
        operation: &str,
        caller: &Caller,
        arranged: &RequestedResources,
    ) -> RequestedResources {
        let mut twins = self.shadow_arranged(arranged);
        if self.shadows().is_some() {
            self.world
                .prepare_success(operation, &self.registry.shadow_of(caller), &mut twins);
        }
        twins
    }

    pub(super) fn shadow_arrange(
        &self,
        error: &str,
        caller: &Caller,
        arranged: &RequestedResources,
    ) -> RequestedResources {
        let mut twins = self.shadow_arranged(arranged);
        let is_omitted = |shadows| matches!(shadows, Shadows::WithoutRule(omitted) if omitted == error);
        if self.shadows().is_some_and(|shadows| !is_omitted(shadows)) {
            self.world
                .arrange_error(error, &self.registry.shadow_of(caller), &mut twins);
        }
        twins
    }

    /// Notes resources that the world has replaced by others, and their twins.
    pub(super) fn replace(
        &self,
        caller: &Caller,
        before: &RequestedResources,
        now: &RequestedResources,
        twins: &RequestedResources,
    ) {
        for (name, id) in now.0.iter().filter(|(name, id)| before.id(name) != *id) {
            self.registry.add(name, *id, caller, None);
            if self.shadows().is_some() {
                self.registry.pair(name, *id, twins.id(name));
            }
        }
    }

    /// The same request, about twins and by a twin.
    pub(crate) fn for_shadows(&self, operation: &'static Operation, request: &Request) -> Request {
        let mut shadow = request.clone();
        for (name, text) in parameters(operation, request) {
            if let (Some(resource), Ok(id)) = (operation.resource_at(name), text.parse::<i64>()) {
                let id = self.registry.shadow_id(resource, id).to_string();
                shadow = with_parameter(operation, &shadow, name, &id);
            }
        }
        if let (Some(body), Some(mut json)) = (operation.body, json_of(request)) {
            let before = json.clone();
            self.exchange(body, &JsonPath::default(), &mut json, |registry, resource, id| {
                registry.shadow_id(resource, id)
            });
            if json != before {
                // A body that is too large stays so.
                let length = request.body.as_ref().map_or(0, Vec::len);
                let mut bytes = json.to_string().into_bytes();
                bytes.resize(bytes.len().max(length), b' ');
                shadow.body = Some(bytes);
            }
        }
        if let Some(kind) = operation.credential {
            for (_, secret) in shadow.headers.iter_mut().filter(|(name, _)| *name == kind.header) {
                *secret = self.registry.shadow_secret(secret);
            }
        }
        // A caller without twins sends both requests.
        for key in idempotency_keys(operation, &mut shadow) {
            key.insert_str(usize::from(key.starts_with('"')), "twin-");
        }
        shadow
    }

    fn exchange(&self, of: &'static Type, root: &JsonPath, json: &mut Json, other: fn(&Registry, &str, i64) -> i64) {
        for (place, kind) in leaves(of, root) {
            if let Type::Id(resource) = kind {
                place.values(json, &mut |value| {
                    if let Some(id) = value.as_i64() {
                        *value = other(&self.registry, resource, id).into();
                    }
                });
            }
        }
    }

    /// The twins' answer, rewritten as if it was about the originals.
    pub(crate) fn for_originals(
        &self,
        operation: &'static Operation,
        request: &Request,
        response: Response,
    ) -> Response {
        if is_success(&response) {
            let root = JsonPath::of_data(operation);
            let Some(of) = operation.data else { return response };
            let back = |registry: &Registry, resource: &str, id: i64| registry.original_id(resource, id);
            return with_json(&response, |json| self.exchange(of, &root, json, back)).unwrap_or(response);
        }
        let Some(error) = entry_of(self.contract, &response) else {
            return response;
        };
        let ids = self.shadow_ids(operation, request);
        let text = self.contract.error_member("text").unwrap_or_default();
        let rewritten = with_json(&response, |json| {
            let values_found =
                match_template(&error.text, &[], json[text].as_str().unwrap_or_default()).unwrap_or_default();
            let back = |value: &String| {
                let original = ids.iter().find(|(shadow, _)| shadow == value);
                original.map_or_else(|| value.clone(), |(_, id)| id.clone())
            };
            let values: Vec<_> = values_found
                .iter()
                .map(|(name, value)| (name.as_str(), back(value)))
                .collect();
            json[text] = fill_template(&error.text, &values).into();
        });
        rewritten.unwrap_or(response)
    }

    /// The ids that the request names, each after that of its twin.
    fn shadow_ids(&self, operation: &'static Operation, request: &Request) -> Vec<(String, String)> {
        parameters(operation, request)
            .into_iter()
            .chain(ids_of_body(operation, request))
            .filter_map(|(name, text)| {
                let in_body = || named(operation.members(), name)?.of.id_of();
                let resource = operation.resource_at(name).or_else(in_body)?;
                let id = text.parse::<i64>().ok()?;
                Some((self.registry.shadow_id(resource, id).to_string(), id.to_string()))
            })
            .collect()
    }
}

fn ids_of_body(operation: &'static Operation, request: &Request) -> Vec<(&'static str, String)> {
    let json = json_of(request).unwrap_or_default();
    let ids = operation.members().iter().filter(|member| member.of.id_of().is_some());
    ids.map(|member| (member.name, json[member.name].to_string())).collect()
}
