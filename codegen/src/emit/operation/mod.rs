//! One operation: its trait and its module, which holds the request, the answer, the refusals and the steps.

mod refusals;
mod steps;

use super::{Context, filters, names, requests};
use crate::model::{BodyUse, Credential, Data, Operation, Row, Surface};
use crate::step::Step;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// An operation with all that its parts need to know of it.
pub(super) struct Subject<'s> {
    pub(super) context: &'s Context<'s>,
    pub(super) surface: &'s Surface,
    pub(super) operation: &'s Operation,
}

impl Subject<'_> {
    pub(super) fn module(&self) -> Ident {
        names::value(&self.operation.name)
    }

    pub(super) fn handler(&self) -> Ident {
        names::of_type(&self.operation.name)
    }

    /// `POST /books (create_book, api.yaml:212:7)`
    fn title(&self) -> String {
        let operation = self.operation;
        let (file, at) = (self.context.file, operation.at);
        format!(
            "{} {} ({}, {file}:{}:{})",
            operation.method, operation.route, operation.name, at.line, at.column
        )
    }

    fn credential(&self) -> Option<&Credential> {
        self.surface
            .credential
            .as_ref()
            .map(|name| self.context.model.credential(name))
    }

    /// The traits that an application must have for this operation to run.
    pub(super) fn bounds(&self) -> Vec<TokenStream> {
        let handler = self.handler();
        let mut bounds = vec![quote!(#handler)];
        bounds.extend(self.credential().map(|credential| {
            let admit = format_ident!("Admit{}", names::pascal(&credential.name));
            quote!(#admit)
        }));
        bounds.extend(self.operation.exists.iter().map(|exists| {
            let find = format_ident!("Find{}", names::pascal(&exists.resource));
            quote!(#find)
        }));
        bounds
    }

    fn is_read(&self) -> bool {
        self.operation.method == "GET"
    }

    fn owns(&self, resource: &str) -> bool {
        self.operation.owned.iter().any(|owned| owned == resource)
    }

    /// Where the id of a guarded resource stands once the request is decoded.
    fn id(&self, resource: &str) -> TokenStream {
        let id = format_ident!("{}_id", names::snake(resource));
        quote!(#id)
    }

    fn noun(&self, resource: &str) -> &str {
        &self.context.model.resource(resource).noun
    }

    fn row(&self, step: Step) -> &Row {
        self.context
            .model
            .row_at(step)
            .expect("checked: a step that an operation needs has a row")
    }
}

/// The operation's trait and module.
pub(super) fn emit(subject: &Subject<'_>) -> TokenStream {
    let (module, handler, title) = (subject.module(), subject.handler(), subject.title());
    let operation = subject.operation;
    let missing = format!("no handler for {title}");
    let doc = format!("Handles `{title}`. {}", operation.doc.as_deref().unwrap_or_default());
    let note = format!("implement `{}::{handler}` for `{{Self}}`", subject.surface.name);
    let (method, path) = (
        &operation.method,
        format!("{}{}", subject.surface.base, operation.route),
    );
    let request = request(subject);
    let success = success_type(subject);
    let error = refusals::error_type(subject);
    let recheck = recheck(subject);
    let order = order(subject);
    let run = steps::run(subject);
    let filter = alone(subject);
    let module_doc = format!("`{title}`");
    quote! {
        #[doc = #doc]
        #[diagnostic::on_unimplemented(message = #missing, note = #note)]
        pub trait #handler: Send + Sync + 'static {
            /// Runs once the guards have let the request through.
            fn #module(
                &self,
                request: #module::Request,
            ) -> impl Future<Output = Result<#module::Success, #module::Error>> + Send;
        }

        #[doc = #module_doc]
        pub mod #module {
            #[allow(unused_imports)]
            use super::*;

            /// The HTTP method.
            pub const METHOD: &str = #method;
            /// The whole path, parameters written `:name`.
            pub const PATH: &str = #path;

            #request
            #success
            #error
            #recheck
            #order
            #run

            #filter
        }
    }
}

fn alone(subject: &Subject<'_>) -> TokenStream {
    let handler = subject.handler();
    let claims = quote!(|method, path| matches!(route(method, path), Routed::To(Operation::#handler)));
    let doc = "This operation alone, as a filter for an app of one's own; any other request is rejected as not found.";
    filters::emit(doc, &subject.surface.name, &subject.bounds(), &claims, &quote!(run))
}

fn request(subject: &Subject<'_>) -> TokenStream {
    let (context, operation) = (subject.context, subject.operation);
    let base_segments = subject.surface.base.split('/').skip(1).count();
    let path = (!operation.path.is_empty()).then(|| requests::emit_path(operation, base_segments, context));
    let query = (!operation.query.is_empty()).then(|| requests::emit_query(operation, context));
    let body = operation.body.as_ref().map(|body| match body {
        BodyUse::Named(name) => {
            let (input, doc) = (names::of_type(name), "What stands in the body.");
            quote!(#[doc = #doc] pub type Body = #input;)
        }
        BodyUse::Inline(body) => {
            let (name, rest) = (format_ident!("Body"), format_ident!("Rest"));
            requests::emit_body(context, &name, &rest, "What stands in the body.", body)
        }
    });
    let members = request_members(subject)
        .into_iter()
        .map(|(name, of, doc)| quote!(#[doc = #doc] pub #name: #of));
    quote! {
        /// The request, decoded and let through by the guards.
        #[derive(Clone, Debug)]
        pub struct Request { #(#members,)* }

        #path
        #query
        #body
    }
}

fn request_members(subject: &Subject<'_>) -> Vec<(Ident, TokenStream, String)> {
    let operation = subject.operation;
    let mut members = Vec::new();
    if let Some(credential) = subject.credential().filter(|credential| credential.caller.is_some()) {
        let caller = names::caller(&credential.name);
        members.push((format_ident!("caller"), quote!(#caller), "Who calls.".to_owned()));
    }
    let parts = [
        ("path", "Path", !operation.path.is_empty()),
        ("query", "Query", !operation.query.is_empty()),
        ("body", "Body", operation.body.is_some()),
    ];
    for (name, of, _) in parts.into_iter().filter(|(.., there)| *there) {
        let (name, of) = (format_ident!("{name}"), format_ident!("{of}"));
        members.push((name.clone(), quote!(#of), format!("The {name}.")));
    }
    for exists in &operation.exists {
        let record = names::of_type(&exists.resource);
        let noun = subject.noun(&exists.resource);
        let (proof, doc) = if subject.owns(&exists.resource) {
            (quote!(Owned<#record>), format!("The {noun}, which the caller owns."))
        } else {
            (quote!(Found<#record>), format!("The {noun}, which exists."))
        };
        members.push((names::value(&exists.resource), proof, doc));
    }
    members
}

fn success_type(subject: &Subject<'_>) -> TokenStream {
    let context = subject.context;
    let has_total = subject.operation.siblings.iter().any(|sibling| sibling == "total");
    let of = match &subject.operation.data {
        None => quote!(()),
        Some(Data::One { resource, view }) => {
            let view = names::view(resource, view);
            quote!(support::Encoded<#view>)
        }
        Some(Data::Many { resource, view }) => {
            let view = names::view(resource, view);
            if has_total {
                quote!(support::Page<#view>)
            } else {
                quote!(Vec<support::Encoded<#view>>)
            }
        }
        Some(Data::Members(members)) => {
            let fields = members.iter().map(|field| names::value(&field.name));
            let words = members.iter().map(|field| &field.name);
            let docs = members
                .iter()
                .map(|field| format!("`{}` {}", field.name, context.place(field.at)));
            let of = members.iter().map(|field| context.owned(&field.of));
            return quote! {
                /// What a success says.
                #[derive(Clone, Debug, support::serde::Serialize)] #[serde(crate = "support::serde")]
                pub struct Success { #(#[doc = #docs] #[serde(rename = #words)] pub #fields: #of,)* }

                impl support::WriteJson for Success {
                    fn write_json(&self, out: &mut Vec<u8>) {
                        support::write_json(self, out);
                    }
                }
            };
        }
    };
    quote! {
        /// What a success says.
        pub type Success = #of;
    }
}

/// The plan guard once more, over the stored caller, for the transaction that commits: where there is one, or a quota,
/// which is decided there too.
fn recheck(subject: &Subject<'_>) -> Option<TokenStream> {
    subject.operation.plan.as_ref().or(subject.operation.quota.as_ref())?;
    let caller = subject.credential()?.caller.as_ref()?;
    let (field, plans) = caller.plan.as_ref()?;
    let record = names::of_type(&caller.resource);
    let verdict = match &subject.operation.plan {
        None => quote!(Ok(())),
        Some(plan) => {
            let (field, plans, plan) = (names::value(field), names::of_type(plans), names::of_type(plan));
            let variant = names::of_type(&subject.row(Step::Plan).name);
            quote!(if caller.#field == #plans::#plan { Ok(()) } else { Err(Error::#variant) })
        }
    };
    Some(quote! {
        /// The plan guard again, for the transaction that commits: whether the caller, as it is now, may do this.
        #[allow(unused_variables)]
        pub fn recheck(caller: &#record) -> Result<(), Error> {
            #verdict
        }
    })
}

/// The order of a list, where the contract declares one over stored fields.
fn order(subject: &Subject<'_>) -> Option<TokenStream> {
    let operation = subject.operation;
    let Some(Data::Many { resource, .. }) = &operation.data else {
        return None;
    };
    if operation.sort.is_empty() {
        return None;
    }
    let record = names::of_type(resource);
    let mut sort = operation.sort.clone();
    if sort.iter().all(|(field, _)| field != "id") {
        sort.push(("id".to_owned(), false));
    }
    let keys = sort.iter().map(|(field, reversed)| {
        let field = names::value(field);
        let reverse = reversed.then(|| quote!(.reverse()));
        quote!(a.#field.cmp(&b.#field)#reverse)
    });
    let doc = format!("The order of the list: {}.", sort_words(&sort));
    Some(quote! {
        #[doc = #doc]
        pub fn order(a: &#record, b: &#record) -> std::cmp::Ordering {
            std::cmp::Ordering::Equal #(.then_with(|| #keys))*
        }
    })
}

fn sort_words(sort: &[(String, bool)]) -> String {
    let words = sort
        .iter()
        .map(|(field, reversed)| format!("`{field}` {}", if *reversed { "descending" } else { "ascending" }));
    words.collect::<Vec<_>>().join(", then ")
}
