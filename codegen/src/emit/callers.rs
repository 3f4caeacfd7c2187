//! Who calls: the credentials and their callers.

use crate::emit::shared::{Context, literals, names};
use crate::model::Credential;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let credentials = context
        .model
        .credentials
        .iter()
        .map(|credential| emit_credential(context, credential));
    quote!(#(#credentials)*)
}

fn emit_credential(context: &Context<'_>, credential: &Credential) -> TokenStream {
    let module = names::value(&credential.name);
    let caller = names::caller(&credential.name);
    let admit = format_ident!("Admit{}", names::pascal(&credential.name));
    let method = format_ident!("admit_{}", names::snake(&credential.name));
    let (header, prefix) = (&credential.header, &credential.prefix);
    let random = literals::count(credential.random);
    let place = context.place(credential.at);
    let module_doc = format!("The credential `{}`. {place}", credential.name);
    let caller_doc = format!("Who calls with `{}`. {place}", credential.name);
    let admit_doc = format!("Finds who a `{}` stands for. {place}", credential.name);
    let missing = format!("nothing finds the caller of `{header}` {place}");
    let shown = credential.shown.map(|characters| {
        let characters = literals::count(characters);
        quote! {
            /// What a listing shows of it.
            #[must_use]
            pub fn shown(secret: &str) -> String {
                super::support::shown(secret, #characters)
            }
        }
    });
    let members = caller_members(credential);
    quote! {
        #[doc = #module_doc]
        pub mod #module {
            /// The request header that carries it.
            pub const HEADER: &str = #header;

            /// Makes a new one.
            #[must_use]
            pub fn mint() -> String {
                super::support::mint(#prefix, #random)
            }

            #shown

            /// The caller of a request, or the refusal of its credential. That the future can be sent is said here, and so
            /// need not be proven again for each operation.
            #[allow(dead_code)]
            pub(crate) fn admitted<A: super::#admit + Sync>(
                app: &A,
                gate: &super::Gate,
                headers: &super::support::HeaderMap,
                address: Option<std::net::IpAddr>,
            ) -> impl Future<Output = Result<super::#caller, super::support::Refusal>> + Send {
                find(app, gate, headers, address)
            }

            async fn find<A: super::#admit>(
                app: &A,
                gate: &super::Gate,
                headers: &super::support::HeaderMap,
                address: Option<std::net::IpAddr>,
            ) -> Result<super::#caller, super::support::Refusal> {
                let caller = match super::support::credential(headers, HEADER) {
                    Some(presented) => app.#method(presented).await.map_err(super::errors::failure)?,
                    None => None,
                };
                caller.ok_or_else(|| gate.refuse_credential(address, HEADER))
            }
        }

        #[doc = #caller_doc]
        #[derive(Clone, Debug)]
        pub struct #caller { #members }

        #[doc = #admit_doc]
        #[diagnostic::on_unimplemented(message = #missing)]
        pub trait #admit {
            /// The caller, or nothing where the credential is not known (any more).
            fn #method(
                &self,
                presented: &str,
            ) -> impl Future<Output = Result<Option<#caller>, support::Failure>> + Send;
        }
    }
}

fn caller_members(credential: &Credential) -> TokenStream {
    let Some(caller) = &credential.caller else {
        return quote!();
    };
    let (id, limited_by) = (names::id_of(&caller.resource), names::id_of(&caller.limited_by));
    let plan = caller.plan.as_ref().map(|(_, plan)| {
        let plan = names::of_type(plan);
        quote! {
            /// Its plan.
            pub plan: #plan,
        }
    });
    let suspended = caller.suspended.as_ref().map(|_| {
        quote! {
            /// Whether it is shut out.
            pub suspended: bool,
        }
    });
    quote! {
        /// Who acts.
        pub id: #id,
        /// What the limits count by.
        pub limited_by: #limited_by,
        #plan
        #suspended
    }
}
