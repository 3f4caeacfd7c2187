//! Describes which records callers do not see, and the prefixes of credentials, which can differ by realm.

use crate::model::{Credential, Model, Operation, Resource, Surface};
use crate::names::with_article;

/// The rule for the records of a resource that callers of another realm do not see, if callers of one of these surfaces
/// have a realm.
pub(crate) fn of_resource<'m>(
    model: &Model,
    mut surfaces: impl Iterator<Item = &'m Surface>,
    resource: &Resource,
) -> Option<String> {
    let realm = surfaces.find_map(|surface| model.realm_seen(surface, &resource.name))?;
    Some(format!("Only callers with the same `{realm}` see it."))
}

/// The rule for the hidden records of a resource, if callers of one of these surfaces do not see them.
pub(crate) fn hidden<'m>(
    model: &'m Model,
    surfaces: impl Iterator<Item = &'m Surface> + Clone,
    resource: &Resource,
) -> Option<String> {
    let hidden = surfaces
        .clone()
        .find_map(|surface| model.hidden_from(surface, &resource.name))?;
    let is_owned = surfaces
        .clone()
        .any(|surface| model.owner_field(surface, resource).is_some());
    let callers: Vec<&str> = surfaces
        .filter_map(|surface| Some(model.credential_of(surface)?.caller.as_ref()?.resource.as_str()))
        .collect();
    let excepted = hidden
        .except
        .iter()
        .filter(|except| callers.contains(&except.caller.as_str()));
    let excepted = excepted.map(|except| {
        let [caller, noun] = [&except.caller, &except.resource].map(|name| &model.resource(name).noun);
        format!("{} with {} that names it", with_article(caller), with_article(noun))
    });
    let seers: Vec<String> = is_owned
        .then(|| "its owner".to_owned())
        .into_iter()
        .chain(excepted)
        .collect();
    let seers = match seers.is_empty() {
        true => "nobody".to_owned(),
        false => format!("only {}", seers.join(" and ")),
    };
    Some(format!("One that is hidden (`{}`) exists for {seers}.", hidden.when))
}

/// The rule for the items of a list.
pub(crate) fn of_list(model: &Model, surface: &Surface, operation: &Operation) -> Option<String> {
    let realm = model.realm_of_list(surface, operation)?;
    Some(format!("Only items of the caller's realm (`{realm}`)."))
}

/// The prefixes of a credential, that for most callers first: `` `card_` or `card_test_` ``.
pub(crate) fn prefixes(credential: &Credential) -> String {
    let others = credential.realms.iter().filter_map(|realm| realm.prefix.as_ref());
    let prefixes = [&credential.prefix].into_iter().chain(others);
    prefixes
        .map(|prefix| format!("`{prefix}`"))
        .collect::<Vec<_>>()
        .join(" or ")
}

/// The headers of answers to callers of some realms: name, value, and for whom.
pub(crate) fn headers(credential: &Credential) -> impl Iterator<Item = (&str, String, String)> {
    credential.realms.iter().flat_map(|realm| {
        let whose = match &realm.prefix {
            Some(prefix) => format!("callers whose credential begins with `{prefix}`"),
            None => format!("callers of the realm `{}`", realm.value),
        };
        let headers = realm.headers.iter();
        headers.map(move |(name, value)| (name.as_str(), value.to_string(), whose.clone()))
    })
}
