//! Checks a [`Spec`] without changing it: one function for each rule, which adds a diagnostic for each error.
//!
//! They run in three tiers. Checks that need a whole section are skipped where its form is broken (see `soundness`), so
//! that one error causes one diagnostic. Rules about the names of the whole file read those that the reader has recorded.

mod ambiguous;
mod bodies;
mod bounds;
mod counts;
mod credentials;
mod decisions;
mod defaults;
mod distinct;
mod dry_runs;
mod enums;
mod envelope;
mod error_texts;
mod errors;
mod examples;
mod fields;
mod filters;
mod generated_names;
mod guards;
mod headers;
mod idempotency;
mod ids;
mod limits;
mod lookup;
pub(crate) use lookup::optional_guard;
mod missing_errors;
mod naming;
mod nesting;
mod nulls;
mod operation_ids;
mod order;
mod pages;
mod parameters;
mod placeholders;
mod quotas;
mod reachable;
mod realms;
mod references;
mod reserved;
mod rights;
mod routes;
mod service_fields;
mod shapes;
mod shown;
mod soundness;
mod status_classes;
mod statuses;
mod success;
mod taken;
mod texts;
mod unguarded;
mod unproven;
mod unproven_answers;
mod unproven_ids;
mod uses;
mod views;
mod written;

use crate::diagnostic::Diagnostic;
use crate::syntax::{Names, Spec};
use crate::yaml::Node;
use soundness::Damage;

type RuleCheck = fn(&Spec, &mut Vec<Diagnostic>);

/// Rules that look up names of entries.
const NAMES: &[RuleCheck] = &[errors::unknown_step, errors::unknown_error_row];

/// Rules that look into entries.
const INSIDE: &[RuleCheck] = &[
    fields::unknown_view_field,
    fields::unknown_body_field,
    fields::unknown_sort_field,
    fields::unknown_owner_field,
    fields::unknown_credential_field,
    fields::unknown_unique_member,
    fields::unknown_parameter,
    filters::unknown_filter_field,
    realms::unknown_realm_field,
    enums::unknown_enum_value,
    enums::states,
    enums::transitions,
    uses::unsent_field,
    shapes::resource_id,
    shapes::member_twice,
    shapes::cyclic_object,
    nesting::deep_nesting,
    shapes::empty_surface,
    bounds::bounds,
    bounds::bad_chars,
    shown::unit,
    shown::label_and_columns,
    shown::consequence,
    defaults::bad_default,
    examples::bad_example,
    examples::unknown_example,
    bodies::body_on_get,
    bodies::content,
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
    realms::realm,
    success::sibling,
    success::sort,
    success::constraints,
    filters::filter,
    pages::pages,
    envelope::placeholders,
    envelope::spread,
    envelope::needed,
    envelope::without,
    headers::header_name,
    headers::header_value,
    idempotency::header,
    limits::limit_form,
    limits::credential_form,
    quotas::quota_form,
    quotas::quota_owner,
    quotas::quota_of_endpoint,
    placeholders::bad_placeholder,
    naming::name_twice,
    operation_ids::operation_twice,
    reserved::reserved_name,
    generated_names::generated_twice,
    statuses::wrong_status,
    status_classes::blame,
    errors::untestable,
    status_classes::created_by_none,
    service_fields::given_by_service,
    unguarded::unguarded_id,
    unproven::unproven,
    reachable::unreachable_state,
    reachable::idle_transition,
    error_texts::foreign_placeholder,
    error_texts::same_error_response,
    views::empty_view,
    views::shown_secret,
    views::secret_on_get,
    ambiguous::parameter_twice,
    ambiguous::patch_overwrites,
    ambiguous::base_repeated,
    distinct::not_stored,
    ids::ids,
    nulls::without_effect,
    dry_runs::dry_run,
    counts::counts,
    credentials::same_prefix,
    credentials::credential_header,
    credentials::pattern,
    texts::unknown_language,
    texts::unknown_text,
];

/// Rules that need the whole file.
const WHOLE: &[RuleCheck] = &[
    routes::colliding_routes,
    routes::colliding_bases,
    limits::limit_coverage,
    limits::per_caller,
    idempotency::unused,
    errors::duplicate_step,
    errors::unused_error_row,
    error_texts::says_too_little,
    order::impossible_order,
    order::torn_apart,
    ambiguous::guard_order,
    statuses::status_not_listed,
    statuses::unused_status,
    envelope::said_but_not_sent,
    envelope::faults_and_titles,
    envelope::media_type_and_marks,
    references::unused_field,
    shown::unused_column,
    references::unused_limit_headers,
    unproven::unused_open,
];

/// Rules about what is probably not meant, in a contract without errors.
const WARNINGS: &[RuleCheck] = &[parameters::idle_parameter, unguarded::unchecked_id];

/// The warnings of a contract without errors.
pub(crate) fn warnings(spec: &Spec) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    run(WARNINGS, spec, &mut found);
    found
}

/// Adds the semantic errors in `spec`, which was read from `tree`, to the structural errors in it: as far as they do not
/// depend on the broken parts.
pub(crate) fn check(spec: &Spec, names: &Names, tree: &Node, diagnostics: &mut Vec<Diagnostic>) {
    let damage = Damage::from_diagnostics(tree, diagnostics);
    let mut found = Vec::new();
    references::unknown_type(spec, names, &mut found);
    references::unknown_name(spec, names, &mut found);
    run(NAMES, spec, &mut found);
    let (sound, names) = damage.prune(spec, names);
    references::unknown_view(&sound, &names, &mut found);
    uses::misplaced_type(&sound, &names, &mut found);
    naming::name_style(&sound, &names, &mut found);
    run(INSIDE, &sound, &mut found);
    decisions::decision_node(&sound, &names, tree, &mut found);
    errors::missing_error_row(&sound, tree, &mut found);
    references::unused_name(&sound, &names, &mut found);
    references::unused_view(&sound, &names, &mut found);
    run(WHOLE, &sound, &mut found);
    diagnostics.extend(found.into_iter().filter(|diagnostic| damage.trusts(diagnostic)));
}

/// Adds the errors in the values of enums, for a contract whose enums have lost values since it was checked.
pub(crate) fn values(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let rules: [RuleCheck; 3] = [enums::unknown_enum_value, defaults::bad_default, examples::bad_example];
    run(&rules, spec, diagnostics);
}

fn run(rules: &[RuleCheck], spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for rule in rules {
        rule(spec, diagnostics);
    }
    diagnostics.retain(|diagnostic| !diagnostic.at.is_unknown());
}
