//! What the contract says of surfaces, as a JavaScript module for pages that are written by hand: where to call, with which
//! credential, and the bounds of what is sent.

use crate::json::{Json, JsonObject, number, pretty};
use crate::model::{Field, Kind, Model, Surface, TypeRule};

/// A module that exports an object for each of these surfaces: `base`; `header`, `prefix` and `random` of its credential; and
/// in `bounds`, for each operation with a body, the bounds of its members. Surfaces that the contract does not have are left
/// out.
pub fn module(model: &Model, surfaces: &[&str]) -> String {
    let all = model.surfaces.iter();
    let meant = all.filter(|surface| surfaces.contains(&surface.name.as_str()));
    let exports = meant.map(|surface| {
        let object = pretty(&Json::from(of_surface(model, surface)));
        format!("export const {} = {};\n", surface.name, object.trim_end())
    });
    exports.collect()
}

fn of_surface(model: &Model, surface: &Surface) -> JsonObject {
    let credential = surface.credential.as_ref().map(|name| model.credential(name));
    let object = JsonObject::new().with("base", surface.base.as_str());
    let object = match credential {
        Some(credential) => object
            .with("header", credential.header.as_str())
            .with("prefix", credential.prefix.as_str())
            .with("random", credential.random),
        None => object,
    };
    let bounds = surface.operations.iter().filter_map(|operation| {
        let members = &model.body(operation)?.members;
        let bounds = members
            .iter()
            .map(|member| (member.field.name.clone(), bounds(model, &member.field).into()));
        Some((operation.name.clone(), bounds.collect::<JsonObject>().into()))
    });
    object.with("bounds", bounds.collect::<JsonObject>())
}

/// `min`, `max` and `decimals`, of a text its characters, of a list its items.
fn bounds(model: &Model, field: &Field) -> JsonObject {
    let Kind::Named(name) = &field.of.kind else {
        return JsonObject::new();
    };
    let object = JsonObject::new();
    match model.named_type(name).rule {
        TypeRule::Text { min, max, .. } | TypeRule::List { min, max, .. } => object.with("min", min).maybe("max", max),
        TypeRule::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => object
            .maybe("min", min.or(exclusive_min).map(number))
            .maybe("max", max.map(number))
            .maybe("decimals", decimals.map(u64::from)),
        TypeRule::Integer { min, max } => object.maybe("min", min).maybe("max", max),
        TypeRule::FreeForm { .. } => object,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_learns_where_to_call_and_what_it_may_send() {
        let source = include_str!("../../../api.yaml");
        let model = crate::compile(source).expect("a contract");
        let module = module(&model, &["worker", "join", "other"]);
        assert!(module.contains("export const worker = {"), "{module}");
        for fact in [
            r#""base": "/worker/v1""#,
            r#""header": "X-Worker-Token""#,
            r#""prefix": "htw_""#,
            r#""headline": { "min": 1, "max": 200 }"#,
            r#""hourly_rate": { "min": 0, "max": 100000, "decimals": 2 }"#,
        ] {
            assert!(module.contains(fact), "{fact} in {module}");
        }
        assert!(!module.contains("other"));
    }
}
