//! Describes realms and the prefixes of credentials, which can differ by realm.

use crate::model::{Credential, Model, Operation, Resource, Surface};

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
