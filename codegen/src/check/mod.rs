//! The rules of meaning: what does not fit together in a [`Spec`]. One function a rule.
//!
//! Knows the language; changes nothing and resolves nothing. The rules come in three tiers, so that one mistake makes
//! one report: where the form is broken, those that look into entries do not see what is broken; see `soundness`.

mod ambiguous;
mod bodies;
mod bounds;
mod classes;
mod counted;
mod decisions;
mod defaults;
mod enums;
mod envelope;
mod errors;
mod fields;
mod filters;
mod given;
mod guards;
mod headers;
mod limits;
mod lookup;
mod made;
mod naming;
mod nesting;
mod order;
mod pages;
mod placeholders;
mod quotas;
mod reachable;
mod references;
mod reserved;
mod routes;
mod rows;
mod shapes;
mod shown;
mod soundness;
mod statuses;
mod success;
mod telling;
mod unguarded;
mod unused;
mod uses;

use crate::report::Report;
use crate::spec::Spec;
use crate::tree::Node;
pub(crate) use soundness::Damage;

type Rule = fn(&Spec, &mut Vec<Report>);

/// Rules that look up names of entries.
const NAMES: &[Rule] = &[
    references::unknown_type,
    references::unknown_resource,
    references::unknown_enum,
    references::unknown_input,
    references::unknown_credential,
    references::unknown_limit,
    references::unknown_quota,
    references::unknown_states,
    errors::unknown_step,
    errors::unknown_error_row,
];

/// Rules that look into entries.
const INSIDE: &[Rule] = &[
    references::unknown_view,
    fields::unknown_view_field,
    fields::unknown_body_field,
    fields::unknown_sort_field,
    fields::unknown_owner_field,
    fields::unknown_credential_field,
    fields::unknown_unique_member,
    fields::unknown_parameter,
    filters::unknown_filter_field,
    pages::unknown_page_parameter,
    enums::unknown_enum_value,
    enums::states,
    enums::transitions,
    uses::misplaced_type,
    shapes::resource_id,
    shapes::member_twice,
    shapes::cyclic_object,
    nesting::deep_nesting,
    shapes::empty_surface,
    bounds::bounds,
    bounds::bad_chars,
    defaults::bad_default,
    bodies::body_on_get,
    bodies::empty_body,
    bodies::bodies_of_a_record,
    bodies::nothing_to_take,
    routes::bad_route,
    routes::path_parameter,
    guards::guard_target,
    guards::guard_parent,
    guards::guard_owner,
    guards::guard_plan,
    guards::guard_private,
    success::sibling,
    success::sort,
    success::constraints,
    filters::filter,
    pages::pages,
    envelope::placeholders,
    envelope::spread,
    envelope::needed,
    headers::header_name,
    headers::header_value,
    limits::limit_form,
    limits::credential_form,
    quotas::quota_owner,
    quotas::quota_caller,
    placeholders::bad_placeholder,
    naming::name_style,
    naming::name_twice,
    reserved::reserved_name,
    made::made_twice,
    statuses::wrong_status,
    classes::blame,
    errors::untestable,
    classes::created_by_none,
    given::given_by_service,
    unguarded::unguarded_id,
    unguarded::unguarded_change,
    reachable::unreachable_state,
    reachable::idle_transition,
    telling::foreign_placeholder,
    telling::same_refusal,
    shown::empty_view,
    shown::shown_secret,
    shown::secret_on_get,
    ambiguous::parameter_twice,
    ambiguous::patch_overwrites,
    ambiguous::base_repeated,
    counted::quota_of_nothing,
    counted::same_prefix,
    counted::credential_header,
    counted::pattern,
];

/// Rules that need the whole file.
const WHOLE: &[Rule] = &[
    routes::colliding_routes,
    routes::colliding_bases,
    limits::limit_coverage,
    limits::at_once,
    errors::duplicate_step,
    errors::unused_error_row,
    telling::says_too_little,
    order::impossible_order,
    order::torn_apart,
    ambiguous::guard_order,
    statuses::status_not_listed,
    statuses::unused_status,
    envelope::said_but_not_sent,
    unused::types,
    unused::enums,
    unused::objects,
    unused::inputs,
    unused::views,
    unused::joined_fields,
    unused::limits,
    unused::limit_headers,
    unused::quotas,
    unused::credentials,
];

/// Everything that does not fit together; `tree` is what `spec` was read from.
pub fn check(spec: &Spec, tree: &Node) -> Vec<Report> {
    let mut reports = Vec::new();
    run(&[NAMES, INSIDE], spec, &mut reports);
    decisions::decision_node(spec, tree, &mut reports);
    errors::missing_error_row(spec, tree, &mut reports);
    run(&[WHOLE], spec, &mut reports);
    reports
}

/// What does not fit together in a file with mistakes of form, as far as that does not depend on what is broken.
pub(crate) fn check_broken(spec: &Spec, tree: &Node, damage: &Damage) -> Vec<Report> {
    let mut reports = Vec::new();
    run(&[NAMES], spec, &mut reports);
    let sound = damage.prune(spec);
    run(&[INSIDE], &sound, &mut reports);
    decisions::decision_node(&sound, tree, &mut reports);
    errors::missing_error_row(&sound, tree, &mut reports);
    run(&[WHOLE], &sound, &mut reports);
    reports.retain(|report| damage.trusts(report));
    reports
}

fn run(tiers: &[&[Rule]], spec: &Spec, reports: &mut Vec<Report>) {
    for rule in tiers.iter().copied().flatten() {
        rule(spec, reports);
    }
    reports.retain(|report| !report.at.is_nowhere());
}
