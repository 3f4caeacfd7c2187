//! Texts with placeholders as `format!` calls, and calls of the functions that create error responses.

use super::names;
use crate::model::{EnvelopeValue, ErrorEntry, Model, Piece, Template};
use crate::step::Step;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The template as an expression of type `Cow<'static, str>`; `fill` returns the value of a placeholder.
pub(crate) fn text(template: &Template, fill: impl Fn(&str) -> TokenStream) -> TokenStream {
    match template.0.as_slice() {
        [] => quote!("".into()),
        [Piece::Text(text)] => quote!(#text.into()),
        _ => {
            let formatted = string(template, fill);
            quote!(#formatted.into())
        }
    }
}

/// The error response of an error that names a resource.
pub(crate) fn of_resource(entry: &ErrorEntry, noun: &TokenStream, id: &TokenStream) -> TokenStream {
    error_response(entry, |name| if name == "noun" { noun.clone() } else { id.clone() })
}

/// The template as an expression of type `String`.
pub(crate) fn string(template: &Template, fill: impl Fn(&str) -> TokenStream) -> TokenStream {
    match template.0.as_slice() {
        [Piece::Text(text)] => quote!(#text.to_owned()),
        [Piece::Placeholder(name)] => {
            let value = fill(name);
            quote!(#value.to_string())
        }
        pieces => format_call(pieces, fill),
    }
}

/// Sets a header of the answer to a constant, which is checked when the generated code is compiled.
pub(crate) fn constant_header(name: &TokenStream, text: &str) -> TokenStream {
    quote!(exchange.reply_constant(#name, const { support::HeaderValue::from_static(#text) });)
}

/// Forbids caches to keep the answer.
pub(crate) fn no_store() -> TokenStream {
    let name = quote!(const { support::HeaderName::from_static("cache-control") });
    constant_header(&name, "no-store")
}

fn format_call(pieces: &[Piece], fill: impl Fn(&str) -> TokenStream) -> TokenStream {
    let mut format = String::new();
    let mut values = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => format.push_str(&text.replace('{', "{{").replace('}', "}}")),
            Piece::Placeholder(name) => {
                let value = fill(name);
                match syn::parse2::<Ident>(value.clone()) {
                    Ok(variable) if !variable.to_string().starts_with("r#") => {
                        format.push_str(&format!("{{{variable}}}"));
                    }
                    _ => {
                        format.push_str("{}");
                        values.push(value);
                    }
                }
            }
        }
    }
    quote!(format!(#format #(, #values)*))
}

/// The name of a parameter for an error's text. It begins with an underscore if the text does not use it.
pub(crate) fn parameter(entry: &ErrorEntry, placeholder: &str, name: &str) -> Ident {
    let is_used = entry.placeholders().contains(&placeholder);
    format_ident!("{}{name}", if is_used { "" } else { "_" })
}

/// The error response to a credential that was valid when the request arrived.
pub(crate) fn credential_ended(entry: &ErrorEntry, header: &TokenStream) -> TokenStream {
    error_response(entry, |name| match name {
        "header" => header.clone(),
        _ => quote!(support::NOT_ACCEPTED),
    })
}

/// The error response to an unknown path.
pub(crate) fn unknown_path(entry: &ErrorEntry) -> TokenStream {
    error_response(entry, |_| quote!(did_you_mean(exchange.path(), exchange.unserved)))
}

/// The error response to an invalid request: with what is wrong for people, and for programs.
pub(crate) fn invalid(model: &Model, fault: &TokenStream, code: &TokenStream) -> Option<TokenStream> {
    let response = of_decode(model, fault, code)?;
    let listed = lists_faults(model).then(|| quote!(.with_fault(&#fault, #code)));
    Some(quote!(#response #listed))
}

/// The same with all that `errors` holds.
pub(crate) fn invalid_input(model: &Model) -> Option<TokenStream> {
    let response = of_decode(model, &quote!(errors.text()), &quote!(errors.codes()))?;
    let listed = lists_faults(model).then(|| quote!(.with_faults(&errors)));
    Some(quote!(#response #listed))
}

fn of_decode(model: &Model, faults: &TokenStream, codes: &TokenStream) -> Option<TokenStream> {
    let response = error_response(model.error_at(Step::Decode)?, |name| match name {
        "fault_codes" => codes.clone(),
        _ => faults.clone(),
    });
    Some(response)
}

fn lists_faults(model: &Model) -> bool {
    EnvelopeValue::shows(&model.error, "faults")
}

/// A call of the error's function, with a value for each of its placeholders.
pub(crate) fn error_response(entry: &ErrorEntry, fill: impl Fn(&str) -> TokenStream) -> TokenStream {
    let function = names::value(&entry.name);
    let values = entry.placeholders().into_iter().map(fill);
    quote!(errors::#function(#(#values),*))
}
