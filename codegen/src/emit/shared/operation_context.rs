//! An operation with all facts that its emitters need.

use super::{Context, GeneratedName, hidden, literals, names};
use crate::model::{Caller, Credential, ErrorEntry, Exists, Field, Operation, Quota, Realm, Surface, Word};
use crate::step::Step;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashSet;

/// An operation in its surface and contract.
pub(crate) struct OperationContext<'s> {
    pub(crate) context: &'s Context<'s>,
    pub(crate) surface: &'s Surface,
    pub(crate) operation: &'s Operation,
}

/// The operations of a surface.
pub(crate) fn subjects<'s>(
    context: &'s Context<'s>,
    surface: &'s Surface,
) -> impl Iterator<Item = OperationContext<'s>> + Clone {
    surface.operations.iter().map(move |operation| OperationContext {
        context,
        surface,
        operation,
    })
}

/// The member of a write's request that holds the credential.
pub(crate) const PRESENTED: &str = "presented_credential";

/// The member of a request that holds what it counts towards quotas.
pub(crate) const USES: &str = "uses";

/// A member of an operation's request.
pub(crate) struct EmittedMember {
    pub(crate) name: Ident,
    pub(crate) of: TokenStream,
    pub(crate) doc: String,
}

impl<'s> OperationContext<'s> {
    /// The module of its types and steps.
    pub(crate) fn module(&self) -> Ident {
        names::value(&self.operation.name)
    }

    /// The operation that it tries.
    pub(crate) fn tried(&self) -> Option<Self> {
        self.beside(self.operation.dry_run.as_ref()?)
    }

    /// The operation whose list it counts.
    pub(crate) fn counted(&self) -> Option<Self> {
        self.beside(&self.operation.counts()?.list)
    }

    fn beside(&self, name: &Word) -> Option<Self> {
        let operation = self.surface.operations.iter().find(|one| one.name == name.text)?;
        Some(Self { operation, ..*self })
    }

    /// The trait of its handler.
    pub(crate) fn handler(&self) -> Ident {
        names::of_type(&self.operation.name)
    }

    /// The whole path, parameters written `:name`.
    pub(crate) fn path(&self) -> String {
        format!("{}{}", self.surface.base, self.operation.route)
    }

    /// `POST /v1/books`
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.operation.method, self.path())
    }

    /// The credential of its surface.
    pub(crate) fn credential(&self) -> Option<&'s Credential> {
        self.context.model.credential_of(self.surface)
    }

    /// The caller, if the credential identifies one.
    pub(crate) fn caller(&self) -> Option<&'s Caller> {
        self.credential()?.caller.as_ref()
    }

    /// A number for the resource that calls.
    pub(crate) fn caller_kind(&self) -> Literal {
        let caller = &self
            .caller()
            .expect("checked: requests are counted per caller")
            .resource;
        let mut resources = self.context.model.resources.iter();
        literals::place(resources.position(|resource| resource.name == *caller))
    }

    /// The credential and the caller, which may end before a write commits.
    pub(crate) fn ending_credential(&self) -> Option<(&'s Credential, &'s Caller)> {
        let credential = self.credential().filter(|_| !self.is_read())?;
        Some((credential, credential.caller.as_ref()?))
    }

    /// The traits that an application must implement for the operation, besides its handler's.
    pub(crate) fn finders(&self) -> Vec<Ident> {
        let admit = self
            .credential()
            .map(|credential| GeneratedName::Admit(&credential.name).ident());
        let find = self
            .operation
            .exists()
            .map(|exists| GeneratedName::Find(&exists.resource).ident());
        let realms = self
            .operation
            .exists()
            .filter_map(|exists| self.realm_seen(&exists.resource));
        let realms = realms.filter_map(|realm| realm.through.as_ref());
        let realms = realms.map(|(_, resource)| GeneratedName::Find(resource).ident());
        let hidden = self
            .operation
            .exists()
            .flat_map(|exists| hidden::needed(self.context.model, self.surface, &exists.resource));
        let answer = self.operation.keep_seconds.map(|_| format_ident!("FindAnswer"));
        let available = self.context.model.error_at(Step::Available);
        let available = available.map(|_| format_ident!("Available"));
        let files = operation_files(self.operation);
        let finders = admit.into_iter().chain(find).chain(realms).chain(hidden);
        each_once(finders.chain(answer).chain(available).chain(files))
    }

    /// All traits that an application must implement for the operation.
    pub(crate) fn bounds(&self) -> Vec<Ident> {
        [vec![self.handler()], self.finders()].concat()
    }

    /// Whether it is a read.
    pub(crate) fn is_read(&self) -> bool {
        self.operation.method == "GET"
    }

    /// The quotas that it counts towards.
    pub(crate) fn quotas(&self) -> impl Iterator<Item = &'s Quota> {
        self.operation.quotas.iter().map(|name| self.context.model.quota(name))
    }

    /// Whether the answer has the total number of items, beside a page of them or in a header.
    pub(crate) fn has_total(&self) -> bool {
        self.operation.counts_all()
    }

    /// The number of the caller by which what it does is counted.
    pub(crate) fn caller_number(&self) -> TokenStream {
        let caller = self.caller().expect("checked: what is counted by callers has some");
        self.context.number_of(&caller.resource, &quote!(caller.id))
    }

    /// The numbers of the ids in the path of its request, before the handler gets them: two for a UUID.
    pub(crate) fn path_ids(&self) -> Vec<TokenStream> {
        let numbers = |field: &Field| {
            let id = names::value(&field.name);
            match self.context.model.format(&field.of.kind) {
                None => vec![quote!(path.#id.get())],
                Some(_) => vec![quote!(path.#id.get().halves()[0]), quote!(path.#id.get().halves()[1])],
            }
        };
        self.operation.path.iter().flat_map(numbers).collect()
    }

    /// Whether the id in the path is a UUID, and its place among these numbers.
    pub(crate) fn path_id(&self, name: &str) -> (bool, usize) {
        let is_uuid = |field: &Field| self.context.model.format(&field.of.kind).is_some();
        let fields = self.operation.path.iter();
        let before = fields.take_while(|field| field.name != name);
        let place = before.map(|field| 1 + usize::from(is_uuid(field))).sum();
        let field = self.operation.path.iter().find(|field| field.name == name);
        (field.is_some_and(is_uuid), place)
    }

    /// The variable that holds the id of a guarded resource once the request is decoded.
    pub(crate) fn id(&self, resource: &str) -> Ident {
        format_ident!("{}_id", names::snake(resource))
    }

    /// The variable that holds that id as it was sent, for answers that name it.
    pub(crate) fn sent_id(&self, resource: &str) -> Ident {
        format_ident!("{}_id_sent", names::snake(resource))
    }

    /// The realm of a resource, if the caller sees only records of its own realm.
    pub(crate) fn realm_seen(&self, resource: &str) -> Option<&'s Realm> {
        self.context.model.realm_seen(self.surface, resource)
    }

    /// The realm by which its list leaves out records.
    pub(crate) fn realm_of_list(&self) -> Option<&'s Realm> {
        self.context.model.realm_of_list(self.surface, self.operation)
    }

    /// The noun for a resource in texts.
    pub(crate) fn noun(&self, resource: &str) -> &'s str {
        &self.context.model.resource(resource).noun
    }

    /// The error of a step that this operation has.
    pub(crate) fn entry(&self, step: Step) -> &'s ErrorEntry {
        let entry = self.context.model.error_at(step);
        entry.expect("checked: a step that an operation needs has a row")
    }

    /// The members of its request: the caller, the decoded parts, the proofs of the guards.
    pub(crate) fn members(&self) -> Vec<EmittedMember> {
        let operation = self.operation;
        let parts = [
            ("path", "Path", !operation.path.is_empty()),
            ("query", "Query", !operation.query.is_empty()),
            ("body", "Body", operation.body.is_some()),
        ];
        let caller = self.credential().filter(|credential| credential.caller.is_some());
        let caller = caller.map(|credential| EmittedMember {
            name: format_ident!("caller"),
            of: GeneratedName::Caller(&credential.name).ident().into_token_stream(),
            doc: "The caller.".to_owned(),
        });
        let presented = self.ending_credential().map(|_| EmittedMember {
            name: format_ident!("{PRESENTED}"),
            of: quote!(support::PresentedCredential),
            doc: "The credential of the request, for the transaction that commits: it may have ended meanwhile."
                .to_owned(),
        });
        let once = operation.keep_seconds.map(|_| EmittedMember {
            name: format_ident!("once"),
            of: quote!(support::Once<Success>),
            doc: "For the store, which makes the success: with an idempotency key it also stores the answer."
                .to_owned(),
        });
        let uses = (!operation.quotas.is_empty()).then(|| EmittedMember {
            name: format_ident!("{USES}"),
            of: quote!(Vec<support::QuotaUse>),
            doc: "For the store: what the request counts towards quotas, in the transaction that commits.".to_owned(),
        });
        let parts = parts.into_iter().filter(|(.., there)| *there);
        let parts = parts.map(|(name, of, _)| EmittedMember {
            name: format_ident!("{name}"),
            of: format_ident!("{of}").into_token_stream(),
            doc: format!("The {name}."),
        });
        let file = operation.file.as_ref().map(|_| EmittedMember {
            name: format_ident!("file"),
            of: quote!(support::ReceivedFile),
            doc: "The file. It is deleted unless the application keeps it.".to_owned(),
        });
        let proofs = operation.exists().map(|exists| self.proof(exists));
        caller
            .into_iter()
            .chain(presented)
            .chain(once)
            .chain(uses)
            .chain(parts)
            .chain(file)
            .chain(proofs)
            .collect()
    }

    fn proof(&self, exists: &Exists) -> EmittedMember {
        let (resource, noun) = (&exists.resource, self.noun(&exists.resource));
        let record = names::of_type(resource);
        let (name, of, claim) = match self.operation.claims(resource) {
            true => (names::owned(resource), quote!(Owned<#record>), "the caller owns it"),
            false => (names::value(resource), quote!(Found<#record>), "it exists"),
        };
        match exists.is_optional {
            true => EmittedMember {
                name,
                of: quote!(Option<#of>),
                doc: format!("The {noun}, if the request has its id: {claim}."),
            },
            false => EmittedMember {
                name,
                of,
                doc: format!("The {noun}: {claim}."),
            },
        }
    }
}

/// The trait that an application implements for files that are bodies.
fn operation_files(operation: &Operation) -> Option<Ident> {
    operation.file.as_ref().map(|_| format_ident!("KeepFiles"))
}

/// The items without repetitions, in the order of their first occurrence.
pub(crate) fn each_once<T: ToString>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    items.filter(|item| seen.insert(item.to_string())).collect()
}
