//! Emits one filter for all surfaces, and the whole service. A chain of one filter for each surface would cost time in
//! every request.

use crate::emit::shared::operation_context::{each_once, subjects};
use crate::emit::shared::{Context, OperationContext, names, templates};
use crate::model::{ErrorEntry, Model, Surface};
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
    let did_you_mean = did_you_mean(context.model, no_route);
    let no_route = templates::unknown_path(no_route);
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
        #did_you_mean

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

/// The function that names the path closest to an unknown one, if the text of the error has a place for it.
fn did_you_mean(model: &Model, no_route: &ErrorEntry) -> Option<TokenStream> {
    no_route.placeholders().first()?;
    let mut paths = Vec::new();
    for (surface, operation) in model.operations() {
        let path = (surface.base.as_str(), operation.route.as_str());
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let paths = paths.into_iter().map(|(base, path)| quote!((#base, #path)));
    Some(quote! {
        /// The end of the text about an unknown path.
        fn did_you_mean(path: &str, unserved: support::Unserved) -> String {
            support::did_you_mean(path, &[#(#paths),*], unserved)
        }
    })
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
