//! Emits the tools of a surface: constants, and how each tool is called.

use crate::emit::shared::authentication;
use crate::emit::shared::operation_context::subjects;
use crate::emit::shared::{Context, OperationContext, Tools, body_bounds, literals, names, templates};
use crate::model::{Kind, Mcp, Model, Operation, Segment, Surface};
use crate::step::Step;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The tools of a surface, as it emits them.
pub(super) struct SurfaceTools<'s> {
    context: &'s Context<'s>,
    surface: &'s Surface,
    mcp: &'s Mcp,
    texts: &'s Tools,
}

impl<'s> SurfaceTools<'s> {
    /// `None` if the surface offers none.
    pub(super) fn for_surface(context: &'s Context<'s>, surface: &'s Surface) -> Option<Self> {
        let (_, texts) = context.tools.iter().find(|(name, _)| *name == surface.name)?;
        let mcp = surface.mcp.as_ref()?;
        Some(Self {
            context,
            surface,
            mcp,
            texts,
        })
    }

    pub(super) fn emit(&self, bounds: &[Ident]) -> TokenStream {
        let path = &self.mcp.path;
        let mount = self.mount();
        let calls = self.calls(bounds);
        quote! {
            /// The path at which the operations are tools (Model Context Protocol).
            pub const MCP_PATH: &str = #path;

            #mount

            #calls
        }
    }

    fn mount(&self) -> TokenStream {
        let (model, surface) = (self.context.model, self.surface);
        let Tools {
            list,
            titles,
            server,
            instructions,
        } = self.texts;
        let (name, service) = (&surface.name, &model.name);
        let header = surface.credential.as_ref();
        let header = literals::option(header.map(|name| model.credential(name).header.to_lowercase()));
        let rejecting = [Step::CredentialLimit, Step::Credential].into_iter();
        let rejecting = rejecting
            .filter_map(|step| model.error_at(step))
            .map(|error| &error.name);
        let help = model.errors.iter().filter_map(|error| {
            let (name, help) = (&error.name, error.help.as_ref()?);
            Some(quote!((#name, #help)))
        });
        let bounds = message_bounds(model, surface);
        let tools = surface.tools().zip(titles);
        let tools = tools.map(|(operation, title)| tool(model, surface, operation, title));
        quote! {
            static MCP: support::mcp::Mount = support::mcp::Mount {
                surface: #name,
                name: #service,
                server: #server,
                instructions: #instructions,
                list: #list,
                tools: &[#(#tools,)*],
                credential: #header,
                unauthenticated: &[#(#rejecting,)*],
                help: &[#(#help,)*],
                body: #bounds,
            };
        }
    }

    fn calls(&self, bounds: &[Ident]) -> TokenStream {
        let model = self.context.model;
        let is_tool = |subject: &OperationContext<'_>| subject.operation.is_tool();
        let modules = subjects(self.context, self.surface)
            .filter(is_tool)
            .map(|subject| subject.module());
        let modules: Vec<Ident> = modules.collect();
        let last = modules.last().expect("checked: a surface with tools has one");
        let others = modules.iter().enumerate().take(modules.len() - 1);
        let arms = others.map(|(index, module)| {
            let index = literals::size(index);
            quote!(#index => #module::run(app, limits, exchange),)
        });
        let internal = model.error_at(Step::Internal).expect("checked: every contract has it");
        let internal = templates::error_response(internal, |_| quote!(""));
        let admit = match &self.surface.credential {
            Some(name) => {
                let module = names::value(name);
                let available = authentication::check_availability(self.context);
                quote! {
                    let Self { app, limits } = *self;
                    Box::pin(async move {
                        #available
                        super::#module::find(app, limits, &exchange.headers, exchange.peer).await.map(drop)
                    })
                }
            }
            None => quote! {
                let _ = exchange;
                Box::pin(std::future::ready(Ok(())))
            },
        };
        quote! {
            struct McpCalls<'s, A> {
                app: &'s A,
                limits: &'s Limits,
            }

            impl<A> support::mcp::Calls for McpCalls<'_, A>
            where
                A: #(#bounds)+*,
            {
                fn admit<'r>(&'r self, exchange: &'r mut support::Exchange) -> support::mcp::Admission<'r> {
                    #admit
                }

                fn call<'r>(&'r self, tool: usize, exchange: &'r mut support::Exchange) -> support::Steps<'r> {
                    let Self { app, limits } = *self;
                    match tool {
                        #(#arms)*
                        _ => #last::run(app, limits, exchange),
                    }
                }

                fn internal(&self) -> support::ErrorResponse {
                    #internal
                }
            }
        }
    }
}

/// The greatest bounds of the tools, and some bytes for what surrounds the arguments.
fn message_bounds(model: &Model, surface: &Surface) -> TokenStream {
    const AROUND: u64 = 4096;
    let max_bytes = surface
        .tools()
        .filter(|one| one.body.is_some())
        .map(|one| one.max_bytes);
    let max_bytes = max_bytes.max().unwrap_or(model.body_max_bytes);
    let max_bytes = literals::count(max_bytes.max(model.body_max_bytes) + AROUND);
    let max_seconds = literals::count(model.body_max_seconds);
    body_bounds(
        model.body_min_rate.as_ref(),
        &quote!(max_seconds: #max_seconds),
        &quote!(max_bytes: #max_bytes),
    )
}

fn tool(model: &Model, surface: &Surface, operation: &Operation, title: &str) -> TokenStream {
    let name = operation.tool_name();
    let method = format_ident!("{}", operation.method.as_str());
    let base = surface
        .base
        .split('/')
        .skip(1)
        .map(|text| quote!(support::mcp::PathPart::Text(#text)));
    let parts = operation.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => quote!(support::mcp::PathPart::Text(#text)),
        Segment::Parameter(name) => quote!(support::mcp::PathPart::Argument(#name)),
    });
    let query = operation.query.iter().map(|field| &field.name);
    let lists = operation
        .query
        .iter()
        .filter(|field| matches!(field.of.kind, Kind::EventNames(_)));
    let lists = lists.map(|field| &field.name);
    let defaults = operation.tool_default().map(|(name, value)| {
        let value = value.to_string();
        quote!((#name, #value))
    });
    let body = literals::option(model.body(operation).map(|body| {
        let members = body.members.iter().map(|member| &member.field.name);
        quote!(&[#(#members,)*])
    }));
    let takes_key = operation.keep_seconds.is_some();
    let pages = literals::option(operation.pages.as_ref().map(|pages| {
        let argument = |name: &str| {
            let field = operation.query.iter().find(|field| field.name == name);
            let default = field
                .and_then(|field| model.default_json(&field.of))
                .and_then(|json| json.parse().ok());
            let default = literals::option(default.map(literals::whole));
            quote!((#name, #default))
        };
        let size = argument(&pages.size.text);
        let offset = literals::option(pages.offset.as_ref().map(|offset| argument(&offset.text)));
        quote!(support::mcp::Pages { size: #size, offset: #offset })
    }));
    let nearest = operation.nearest.iter().map(|nearest| {
        let (parameter, header) = (&nearest.parameter, nearest.header.to_lowercase());
        quote!((#parameter, #header))
    });
    quote! {
        support::mcp::Tool {
            name: #name,
            title: #title,
            method: support::Method::#method,
            path: &[#(#base,)* #(#parts,)*],
            query: &[#(#query,)*],
            lists: &[#(#lists,)*],
            defaults: &[#defaults],
            body: #body,
            takes_key: #takes_key,
            pages: #pages,
            nearest: &[#(#nearest,)*],
        }
    }
}
