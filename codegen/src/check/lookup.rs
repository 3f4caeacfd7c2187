//! Looks names up in a [`Spec`].

use crate::diagnostic::Diagnostic;
use crate::formats::{self, Format};
use crate::model::NO_CONTENT;
use crate::syntax::{
    BUILT_IN, Body, Credential, Endpoint, EnumDef, Guard, Num, Resource, Spec, Surface, Table, TypeDef, TypeUse, Word,
};

/// The entry with this name.
pub(super) fn find<'s, T>(table: &'s Table<T>, name: &str) -> Option<&'s T> {
    table.get(name)
}

/// The entry with this name, and the name where it is declared.
pub(super) fn entry<'s, T>(table: &'s Table<T>, name: &str) -> Option<&'s (Word, T)> {
    table.entry(name)
}

/// The name of a type, an enum, an object, an input or a resource where it is declared.
pub(super) fn declaration<'s>(spec: &'s Spec, name: &str) -> Option<&'s Word> {
    let name = name.split_once('.').map_or(name, |(resource, _)| resource);
    fn of<'s, T>(table: &'s Table<T>, name: &str) -> Option<&'s Word> {
        entry(table, name).map(|(word, _)| word)
    }
    of(&spec.types, name)
        .or_else(|| of(&spec.enums, name))
        .or_else(|| of(&spec.objects, name))
        .or_else(|| of(&spec.inputs, name))
        .or_else(|| of(&spec.resources, name))
}

/// All names of a table.
pub(super) fn names<T>(table: &Table<T>) -> impl Iterator<Item = &str> {
    table.iter().map(|(word, _)| word.text.as_str())
}

/// Whether `words` contains `name`.
pub(super) fn has(words: &[Word], name: &str) -> bool {
    words.iter().any(|word| word.text == name)
}

/// What the name of a type refers to.
#[derive(Clone, Copy)]
pub(super) enum TypeTarget<'s> {
    Format(&'static Format),
    BuiltIn(&'static str),
    Type(&'s TypeDef),
    Enum(&'s (Word, EnumDef)),
    Object(&'s Table<TypeUse>),
    Input(&'s Body),
    Id,
    View,
    Resource,
    Unknown,
}

/// Resolves a name that occurs where a type is expected.
pub(super) fn type_target<'s>(spec: &'s Spec, name: &'s str) -> TypeTarget<'s> {
    if let Some((resource, part)) = name.split_once('.') {
        return match find(&spec.resources, resource) {
            Some(_) if part == "id" => TypeTarget::Id,
            Some(found) if find(&found.views, part).is_some() => TypeTarget::View,
            _ => TypeTarget::Unknown,
        };
    }
    if let Some(format) = formats::find(name) {
        return TypeTarget::Format(format);
    }
    let built_in = BUILT_IN.iter().find(|built_in| **built_in == name);
    built_in
        .map(|name| TypeTarget::BuiltIn(name))
        .or_else(|| find(&spec.types, name).map(|named| TypeTarget::Type(&named.def)))
        .or_else(|| entry(&spec.enums, name).map(TypeTarget::Enum))
        .or_else(|| find(&spec.objects, name).map(TypeTarget::Object))
        .or_else(|| find(&spec.inputs, name).map(TypeTarget::Input))
        .or_else(|| find(&spec.resources, name).map(|_| TypeTarget::Resource))
        .unwrap_or(TypeTarget::Unknown)
}

/// Members and their types.
pub(super) type InputMembers<'s> = Vec<(&'s Word, &'s TypeUse)>;

/// The members of an object or input, with their types.
pub(super) fn members_of<'s>(spec: &'s Spec, name: &'s str) -> Option<InputMembers<'s>> {
    match type_target(spec, name) {
        TypeTarget::Object(members) => Some(members.iter().map(|(name, used)| (name, used)).collect()),
        TypeTarget::Input(body) => Some(body_members(spec, body)),
        _ => None,
    }
}

/// All members of a body, with their types. Members that name no field of the resource are skipped.
pub(super) fn body_members<'s>(spec: &'s Spec, body: &'s Body) -> InputMembers<'s> {
    let record = body
        .resource
        .as_ref()
        .and_then(|record| find(&spec.resources, &record.text));
    let taken = record_members(body)
        .filter_map(|word| Some((word, find(&record?.fields, &word.text)?)))
        .collect::<Vec<_>>();
    let own = body.members.iter().map(|(name, used)| (name, used));
    taken.into_iter().chain(own).collect()
}

/// The members that a body takes from its resource.
pub(super) fn record_members(body: &Body) -> impl Iterator<Item = &Word> {
    body.required.iter().chain(&body.optional).chain(&body.any)
}

/// An endpoint and the surface that it belongs to.
#[derive(Clone, Copy)]
pub(super) struct LocatedOperation<'s> {
    pub(super) spec: &'s Spec,
    pub(super) surface: &'s Surface,
    pub(super) name: &'s Word,
    pub(super) endpoint: &'s Endpoint,
}

/// Every endpoint of every surface.
pub(super) fn operations(spec: &Spec) -> impl Iterator<Item = LocatedOperation<'_>> {
    spec.surfaces.iter().flat_map(move |(_, surface)| {
        surface.endpoints.iter().map(move |(name, endpoint)| LocatedOperation {
            spec,
            surface,
            name,
            endpoint,
        })
    })
}

impl<'s> LocatedOperation<'s> {
    /// The credential of its callers.
    pub(super) fn credential(&self) -> Option<&'s Credential> {
        credential_of(self.spec, self.surface)
    }

    /// Adds the position of the callers' credential to a diagnostic.
    pub(super) fn with_credential(&self, diagnostic: Diagnostic) -> Diagnostic {
        let named = self.surface.credential.as_ref();
        let declared = named.and_then(|named| entry(&self.spec.credentials, &named.text));
        match declared {
            Some((name, _)) => diagnostic.related(name.at, format!("the credential of this surface, `{}`", name.text)),
            None => diagnostic,
        }
    }

    /// Whether the endpoint bounds its own concurrent requests per caller.
    pub(super) fn is_bounded_at_once(&self) -> bool {
        let is_bounded = self.endpoint.waits_at_once.is_some() || self.spec.api.in_flight.is_some();
        is_bounded && self.caller().is_some()
    }

    /// Whether it takes idempotency keys.
    pub(super) fn takes_keys(&self) -> bool {
        self.endpoint.keep_seconds(self.spec, self.surface).is_some()
    }

    /// The resource that acts as the caller.
    pub(super) fn caller(&self) -> Option<&'s Word> {
        self.credential()?.caller.as_ref()
    }

    /// Its body, named or inline.
    pub(super) fn body(&self) -> Option<&'s Body> {
        self.endpoint.body(self.spec)
    }

    /// The ids of a resource that a guard can look up.
    pub(super) fn ids_of(&self, resource: &str) -> Vec<&'s Word> {
        self.endpoint.guarded_ids(self.spec, resource).names
    }

    /// The member with the id of a resource, if requests may lack it: guards then pass and find nothing.
    pub(super) fn optional_id(&self, resource: &str) -> Option<&'s Word> {
        let ids = self.endpoint.guarded_ids(self.spec, resource);
        ids.names.first().copied().filter(|_| ids.are_optional)
    }

    /// Whether a guard finds a record of a resource in every request.
    pub(super) fn always_finds(&self, resource: &str) -> bool {
        self.existing().any(|existing| existing.text == resource) && self.optional_id(resource).is_none()
    }

    /// How a guard would find a record of a resource in every request.
    pub(super) fn help_to_find(&self, resource: &str) -> String {
        let mut guards = self.existing();
        let id = self.optional_id(resource);
        match id.filter(|_| guards.any(|existing| existing.text == resource)) {
            Some(id) => optional_guard(resource, &id.text),
            None => format!("add `exists {resource}` to `guards`"),
        }
    }

    /// The resources that its guards require to exist.
    pub(super) fn existing(&self) -> impl Iterator<Item = &'s Word> {
        self.endpoint.guards.iter().filter_map(|guard| match guard {
            Guard::Exists { resource, .. } => Some(resource),
            _ => None,
        })
    }

    /// The resources that its guards require the caller to own.
    pub(super) fn owned(&self) -> impl Iterator<Item = &'s Word> {
        self.endpoint.guards.iter().filter_map(|guard| match guard {
            Guard::Owner(resource) => Some(resource),
            _ => None,
        })
    }

    /// Where it or its surface states that its success has no envelope.
    pub(super) fn without_envelope(&self) -> Option<&'s Word> {
        self.endpoint.envelope.as_ref().or(self.surface.envelope.as_ref())
    }

    /// The status of its success, if that has no body.
    pub(super) fn no_content(&self) -> Option<Num> {
        self.endpoint
            .success
            .status
            .filter(|status| status.value == f64::from(NO_CONTENT))
    }

    /// Whether its success has the envelope.
    pub(super) fn has_envelope(&self) -> bool {
        self.without_envelope().is_none() && self.no_content().is_none() && self.endpoint.success.file.is_none()
    }

    /// Whether it changes nothing.
    pub(super) fn is_read(&self) -> bool {
        self.endpoint.method.text == "GET"
    }
}

/// The credential that a surface requires.
pub(super) fn credential_of<'s>(spec: &'s Spec, surface: &Surface) -> Option<&'s Credential> {
    find(&spec.credentials, &surface.credential.as_ref()?.text)
}

/// A field or joined field of a resource.
pub(super) fn field<'s>(resource: &'s Resource, name: &str) -> Option<&'s TypeUse> {
    find(&resource.fields, name).or_else(|| find(&resource.joined, name))
}

/// The enum that a type use names, with its name.
pub(super) fn enum_of<'s>(spec: &'s Spec, used: &TypeUse) -> Option<&'s (Word, EnumDef)> {
    entry(&spec.enums, &used.name.text).filter(|_| !used.list)
}

/// The resource and field of `Resource.field`.
pub(super) fn resource_field<'s>(spec: &'s Spec, place: &str) -> Option<(&'s Word, &'s Resource, &'s TypeUse)> {
    let (resource, field) = place.split_once('.')?;
    let (name, resource) = entry(&spec.resources, resource)?;
    Some((name, resource, find(&resource.fields, field)?))
}

/// Why a guard does not always find a record.
pub(crate) fn optional_guard(resource: &str, id: &str) -> String {
    format!("`exists {resource}` finds none if `{id}` is absent: require `{id}`")
}
