//! Emits a surface: its routes, and the one filter around its operations.

mod routes;
mod tools;

use self::tools::SurfaceTools;
use crate::emit::shared::operation_context::{each_once, subjects};
use crate::emit::shared::{Context, filter, templates};
use crate::model::Surface;
use crate::step::Step;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The items of the surface's module before its operations.
pub(super) fn emit(context: &Context<'_>, surface: &Surface) -> TokenStream {
    let base = &surface.base;
    let subjects = subjects(context, surface);
    let variants = subjects.clone().map(|subject| subject.handler());
    let bounds = each_once(subjects.flat_map(|subject| subject.bounds()));
    let route = routes::emit(surface);
    let dispatch = dispatch(context, surface, &bounds);
    let doc = "The whole surface as one filter; paths outside its base are rejected as not found.";
    let tools = SurfaceTools::for_surface(context, surface);
    let claims = match &tools {
        Some(_) => quote!(|_, path| support::is_under(path, BASE) || path == MCP_PATH),
        None => quote!(|_, path| support::is_under(path, BASE)),
    };
    let mcp_path = tools.is_some().then(|| quote!(, MCP_PATH));
    let tools = tools.map(|tools| tools.emit(&bounds));
    let filter = filter::around(doc, &bounds, &claims, &quote!(dispatch));
    quote! {
        /// The base path of every operation.
        pub const BASE: &str = #base;

        /// The paths at and under which the surface is served, for `support::Unserved`.
        pub const PATHS: &[&str] = &[BASE #mcp_path];

        #tools

        #filter

        #dispatch

        #[derive(Clone, Copy)]
        enum Operation { #(#variants,)* }

        /// The operation that a request is for, or why there is none.
        enum Routed {
            To(Operation),
            OtherMethod(&'static str),
            UnknownPath,
        }

        #route
    }
}

fn dispatch(context: &Context<'_>, surface: &Surface, bounds: &[Ident]) -> TokenStream {
    let name = &surface.name;
    let variants = subjects(context, surface).map(|subject| subject.handler());
    let modules = subjects(context, surface).map(|subject| subject.module());
    let entry = |step| context.model.error_at(step).expect("checked: routing has its rows");
    let unknown_path = templates::unknown_path(entry(Step::Route));
    let other_method = templates::error_response(entry(Step::Method), |_| quote!(allow));
    let tools = surface.mcp.as_ref().map(|_| {
        quote! {
            if exchange.path() == MCP_PATH {
                return Box::pin(async move {
                    let calls = McpCalls { app, limits };
                    Ok(support::mcp::answer(&MCP, &calls, exchange).await)
                });
            }
        }
    });
    quote! {
        #[allow(clippy::too_many_lines, reason = "a line for each operation")]
        pub(super) fn dispatch<'r, A>(
            app: &'r A,
            limits: &'r Limits,
            exchange: &'r mut support::Exchange,
        ) -> support::Steps<'r>
        where
            A: #(#bounds)+*,
        {
            #tools
            exchange.entered(#name);
            let error_response = match route(&exchange.method, exchange.path()) {
                #(Routed::To(Operation::#variants) => return #modules::run(app, limits, exchange),)*
                Routed::OtherMethod(allow) => #other_method,
                Routed::UnknownPath => #unknown_path,
            };
            Box::pin(std::future::ready(Err(error_response)))
        }
    }
}
