//! Authentication of a request: the caller, its suspension, its rate limits. There is one function for each credential
//! and limit; all operations that have both share it.

use super::{Context, literals, names, templates};
use crate::model::{Counts, Credential, Ids, Model, Per, Resource};
use crate::step::Step;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// The steps in the order of the error table. Reading a body is one step. Ownership is a step even if only private
/// resources are owned, which need no error of their own for it.
pub(crate) fn order_of_steps(model: &Model) -> Vec<Step> {
    let mut steps = Vec::new();
    for entry in &model.errors {
        let step = if entry.step == Step::BodyTime {
            Step::BodySize
        } else {
            entry.step
        };
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    if let Some(exists) = steps.iter().position(|step| *step == Step::Exists)
        && !steps.contains(&Step::Owner)
    {
        steps.insert(exists + 1, Step::Owner);
    }
    steps
}

/// Whether a request passes the first step before the second.
pub(crate) fn precedes(model: &Model, first: Step, second: Step) -> bool {
    let steps = order_of_steps(model);
    let place = |step| steps.iter().position(|one| *one == step);
    place(first).is_some_and(|first| place(second).is_some_and(|second| first < second))
}

/// The check whether the application is available; `None` if the contract has no error for it.
pub(crate) fn check_availability(context: &Context<'_>) -> Option<TokenStream> {
    let error_response = templates::error_response(context.model.error_at(Step::Available)?, |_| quote!(""));
    Some(quote! {
        if !app.can_answer() {
            return Err(#error_response);
        }
    })
}

/// The steps of authentication, which are one call: the credential's step and those next to it.
pub(crate) fn steps_of_entering(model: &Model) -> Vec<Step> {
    let is_of_entering = |step: &Step| {
        use Step::{Busy, Credential, Limit, ResponseBytes, Suspended};
        matches!(step, Credential | Suspended | Limit | ResponseBytes | Busy)
    };
    let steps = order_of_steps(model);
    let around = steps.split(|step| !is_of_entering(step));
    let around = around.into_iter().find(|steps| steps.contains(&Step::Credential));
    around.map(<[Step]>::to_vec).unwrap_or_default()
}

/// How requests are authenticated: with which credential, counted by which limit.
pub(crate) struct Entering<'e> {
    pub(crate) context: &'e Context<'e>,
    pub(crate) credential: Option<&'e Credential>,
    pub(crate) limit: Option<&'e str>,
}

impl Entering<'_> {
    /// The function of the credential's module that authenticates these requests.
    pub(crate) fn function(&self) -> Ident {
        match self.limit {
            Some(limit) => format_ident!("enter_{}", names::snake(limit)),
            None => format_ident!("enter"),
        }
    }

    /// The code of one of its steps, in the credential's module or in the operation.
    pub(crate) fn step(&self, step: Step) -> TokenStream {
        match step {
            Step::Credential => self
                .credential
                .map(|credential| self.admit(credential))
                .unwrap_or_default(),
            Step::Suspended => self.suspended(),
            Step::Limit => self.count().unwrap_or_default(),
            Step::ResponseBytes => self.check_response_bytes().unwrap_or_default(),
            Step::Busy => self.check_budget(),
            _ => quote!(),
        }
    }

    /// Records the caller of a request: by noun and id if it is a resource, else by the name of the credential.
    fn admit(&self, credential: &Credential) -> TokenStream {
        let admitted = match &credential.caller {
            Some(caller) => {
                let Resource { noun, ids, .. } = self.context.model.resource(&caller.resource);
                match ids {
                    Ids::Numbers => quote!(admitted(#noun, Some(caller.id.get()))),
                    Ids::UuidV4 | Ids::UuidV7 => quote!(admitted_with_uuid(#noun, caller.id.get().halves())),
                }
            }
            None => {
                let name = &credential.name;
                quote!(admitted(#name, None))
            }
        };
        let headers = self.realm_headers(credential);
        let no_store = (!self.context.model.declares_caching()).then(templates::no_store);
        quote! {
            let caller = find(app, limits, &exchange.headers, exchange.peer).await?;
            exchange.#admitted;
            #no_store
            #headers
        }
    }

    /// Sets the headers of answers to callers of some realms.
    fn realm_headers(&self, credential: &Credential) -> TokenStream {
        let caller = credential
            .caller
            .as_ref()
            .map(|caller| self.context.model.resource(&caller.resource));
        let Some(realm) = caller.and_then(|caller| caller.realm.as_ref()) else {
            return quote!();
        };
        let realms = credential.realms.iter().filter(|one| !one.headers.is_empty());
        let realms = realms.map(|one| {
            let is_it = self
                .context
                .is_one_of(&realm.of, &quote!(caller.realm), std::slice::from_ref(&one.value));
            let headers = one.headers.iter().map(|(name, value)| {
                let name = name.to_lowercase();
                let name = quote!(const { support::HeaderName::from_static(#name) });
                templates::constant_header(&name, &value.to_string())
            });
            quote!(if #is_it { #(#headers)* })
        });
        quote!(#(#realms)*)
    }

    fn suspended(&self) -> TokenStream {
        let caller = self.credential.and_then(|credential| credential.caller.as_ref());
        if caller.is_none_or(|caller| caller.suspended.is_none()) {
            return quote!();
        }
        let entry = self.context.model.error_at(Step::Suspended);
        let entry = entry.expect("checked: a step that an operation needs has a row");
        let error_response = templates::error_response(entry, |_| quote!(""));
        quote! {
            if caller.suspended {
                return Err(#error_response);
            }
        }
    }

    fn count(&self) -> Option<TokenStream> {
        let limit = self.limit?;
        let check = format_ident!("check_{}", names::snake(limit));
        let limit = self.context.model.limit(limit);
        if let Counts::Methods { per: Per::Address, .. } = limit.counts {
            return Some(quote!(limits.#check(exchange, exchange.peer)?;));
        }
        let kind = self.kind();
        let caller = self.credential.and_then(|credential| credential.caller.as_ref());
        let number = caller.map_or_else(
            || quote!(0),
            |caller| self.context.number_of(&caller.limited_by, &quote!(caller.limited_by)),
        );
        let owner = limit.owner_max.map(|_| self.owner());
        Some(quote!(limits.#check(exchange, (#kind, #number), #owner)?;))
    }

    /// The owner for whom credentials of every kind are counted together.
    fn owner(&self) -> TokenStream {
        let model = self.context.model;
        let credential = self.credential.filter(|one| model.has_other_credentials(one));
        match self.caller_of(credential) {
            Some(owner) => quote!(Some(#owner)),
            None => quote!(None),
        }
    }

    /// A number that separates the resource of the caller from others, and the caller's id.
    fn caller_of(&self, credential: Option<&Credential>) -> Option<TokenStream> {
        let caller = credential?.caller.as_ref()?;
        let resources = &self.context.model.resources;
        let kind = literals::place(resources.iter().position(|one| one.name == caller.resource));
        let number = self.context.number_of(&caller.resource, &quote!(caller.id));
        Some(quote!((#kind, #number)))
    }

    fn check_response_bytes(&self) -> Option<TokenStream> {
        self.context.model.response_bytes?;
        let caller = self.caller_of(self.credential)?;
        Some(quote!(limits.check_response_bytes(exchange, #caller)?;))
    }

    /// Bytes are counted by caller, not by credential: a caller can have several credentials.
    fn check_budget(&self) -> TokenStream {
        let kind = self.kind();
        let payer = match self.credential.map(|credential| &credential.caller) {
            Some(Some(caller)) => {
                let number = self.context.number_of(&caller.resource, &quote!(caller.id));
                quote!(support::Payer::Caller(#kind, #number))
            }
            Some(None) => quote!(support::Payer::Caller(#kind, 0)),
            None => quote!(support::Payer::Network(exchange.peer)),
        };
        quote!(limits.check_budget(exchange, #payer)?;)
    }

    /// A number that separates callers of different credentials: their ids may be equal.
    fn kind(&self) -> Literal {
        let credentials = &self.context.model.credentials;
        let name = self.credential.map(|credential| &credential.name);
        literals::place(credentials.iter().position(|one| Some(&one.name) == name))
    }
}
