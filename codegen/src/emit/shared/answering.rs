//! Emits the answer of a success: the call that writes its body, and the headers that it declares.

use super::{OperationContext, literals};
use crate::model::{HeaderPart, SuccessBody};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The answer with this data, an expression of the type `&mut dyn WriteJson`, and the members beside it.
pub(crate) fn answer(
    subject: &OperationContext<'_>,
    data: Option<TokenStream>,
    siblings: &[TokenStream],
) -> TokenStream {
    let operation = subject.operation;
    let status = Literal::u16_unsuffixed(operation.status);
    match operation.success_body() {
        SuccessBody::Data => quote!(support::Answer::of_data(#status, #data)),
        SuccessBody::Nothing => quote!(support::Answer::without_body(#status)),
        SuccessBody::File => quote!(exchange.send_file(success)),
        SuccessBody::Envelope => {
            let (data, message) = (literals::option(data), literals::option(operation.message.as_ref()));
            quote!(envelope::success(#status, #data, #message, &[#(#siblings),*]))
        }
    }
}

/// The same, with its headers set.
pub(crate) fn answer_with_headers(subject: &OperationContext<'_>, answer: TokenStream) -> TokenStream {
    let headers = &subject.operation.headers;
    if headers.is_empty() {
        return quote!(Ok(#answer));
    }
    let answer = match subject.operation.total_header() {
        Some(_) => quote!(support::Answer { total: Some(success.total), ..#answer }),
        None => answer,
    };
    quote! {
        let answer = #answer;
        exchange.reply_declared(HEADERS.of_answer(&answer, &path_ids));
        Ok(answer)
    }
}

/// The variable with the ids of the path, for headers.
pub(crate) fn path_ids(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let ids = subject.path_ids();
    let count = literals::size(ids.len());
    (!subject.operation.headers.is_empty()).then(|| quote!(let path_ids: [i64; #count] = [#(#ids),*];))
}

/// The constant with the headers.
pub(crate) fn headers(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let operation = subject.operation;
    if operation.headers.is_empty() {
        return None;
    }
    let headers = operation.headers.iter().map(|header| {
        let (name, parts) = (
            header.name.to_lowercase(),
            header.parts.iter().map(|part| emit_part(subject, part)),
        );
        quote!(support::DeclaredHeader { name: #name, parts: &[#(#parts),*] })
    });
    let data = literals::option(subject.context.model.data_member(operation));
    Some(quote! {
        /// The headers of a success.
        static HEADERS: support::DeclaredHeaders = support::DeclaredHeaders {
            all: &[#(#headers),*],
            data: #data,
        };
    })
}

fn emit_part(subject: &OperationContext<'_>, part: &HeaderPart) -> TokenStream {
    match part {
        HeaderPart::Text(text) => quote!(support::HeaderPart::Text(#text)),
        HeaderPart::Member(name, _) => quote!(support::HeaderPart::Member(#name)),
        HeaderPart::Parameter(name) => {
            let (is_uuid, place) = subject.path_id(name);
            let (place, kind) = (literals::size(place), if is_uuid { quote!(Uuid) } else { quote!(Id) });
            quote!(support::HeaderPart::#kind(#place))
        }
        HeaderPart::Total => quote!(support::HeaderPart::Total),
    }
}
