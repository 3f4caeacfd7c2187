//! Emits one filter for all surfaces, and the whole service. A chain of one filter for each surface would cost time in
//! every request.

use crate::emit::shared::operation_context::{each_once, subjects};
use crate::emit::shared::{Context, OperationContext, names, templates};
use crate::model::Surface;
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let surfaces = &context.model.surfaces;
    let bounds = each_once(surfaces.iter().flat_map(|surface| bounds(context, surface)));
    let claims = surfaces.iter().map(|surface| {
        let module = names::value(&surface.name);
        let base = quote!(support::is_under(path, #module::BASE));
        match &surface.mcp {
            Some(_) => quote!(#base || path == #module::MCP_PATH),
            None => base,
        }
    });
    let claims: Vec<TokenStream> = claims.collect();
    let modules: Vec<_> = surfaces.iter().map(|surface| names::value(&surface.name)).collect();
    let no_route = context
        .model
        .error_at(Step::Route)
        .expect("checked: routing has its rows");
    let no_route = templates::error_response(no_route, |_| quote!(""));
    let dispatch = quote! {
        |app, limits, exchange| {
            let path = exchange.path();
            #(if #claims {
                return #modules::dispatch(app, limits, exchange);
            })*
            Box::pin(std::future::ready(Err(#no_route)))
        }
    };
    quote! {
        /// Every surface as one filter; other paths are rejected as not found.
        pub fn service_filter<A>(
            app: std::sync::Arc<A>,
            limits: std::sync::Arc<Limits>,
        ) -> support::warp::filters::BoxedFilter<(support::Response,)>
        where
            A: #(#bounds)+*,
        {
            serve(
                app,
                limits,
                |_, path| #(#claims)||*,
                #dispatch,
            )
        }

        /// The whole service as one filter: every surface, and the error response to unknown paths.
        pub fn service<A>(
            app: std::sync::Arc<A>,
            limits: std::sync::Arc<Limits>,
        ) -> support::warp::filters::BoxedFilter<(support::Response,)>
        where
            A: #(#bounds)+*,
        {
            serve(app, limits, |_, _| true, #dispatch)
        }
    }
}

/// The traits that a surface requires of its application, by their paths outside its module.
fn bounds(context: &Context<'_>, surface: &Surface) -> Vec<TokenStream> {
    let module = names::value(&surface.name);
    let of_operation = |subject: OperationContext<'_>| {
        let handler = subject.handler();
        let finders = subject.finders().into_iter().map(ToTokens::into_token_stream);
        [quote!(#module::#handler)]
            .into_iter()
            .chain(finders)
            .collect::<Vec<_>>()
    };
    subjects(context, surface).flat_map(of_operation).collect()
}
