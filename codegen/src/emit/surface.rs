//! A surface: its route trie, its operations and the one filter around them.

use super::operation::{self, Subject};
use super::{Context, filters, names, templates};
use crate::model::{Operation, Segment, Surface};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let surfaces = context
        .model
        .surfaces
        .iter()
        .map(|surface| emit_surface(context, surface));
    let service = service(context);
    quote!(#(#surfaces)* #service)
}

fn subjects<'s>(context: &'s Context<'s>, surface: &'s Surface) -> impl Iterator<Item = Subject<'s>> + Clone {
    surface.operations.iter().map(move |operation| Subject {
        context,
        surface,
        operation,
    })
}

/// Where traits are named from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Root,
    Surface,
}

/// Every trait that a surface asks of its application, each once.
fn bounds(context: &Context<'_>, surfaces: &[&Surface], from: From) -> Vec<TokenStream> {
    let mut seen = Vec::new();
    let mut out = Vec::new();
    for surface in surfaces {
        let module = names::value(&surface.name);
        for subject in subjects(context, surface) {
            let handler = subject.handler();
            for bound in subject.bounds() {
                let own = handler == bound.to_string();
                let bound = if own && from == From::Root {
                    quote!(#module::#bound)
                } else {
                    bound
                };
                if !seen.contains(&bound.to_string()) {
                    seen.push(bound.to_string());
                    out.push(bound);
                }
            }
        }
    }
    out
}

fn emit_surface(context: &Context<'_>, surface: &Surface) -> TokenStream {
    let module = names::value(&surface.name);
    let base = &surface.base;
    let doc = format!(
        "The surface `{}`, under `{base}`. {}",
        surface.name,
        context.place(surface.at)
    );
    let operations = subjects(context, surface).map(|subject| operation::emit(&subject));
    let variants: Vec<_> = subjects(context, surface).map(|subject| subject.handler()).collect();
    let modules = subjects(context, surface).map(|subject| subject.module());
    let bounds = bounds(context, &[surface], From::Surface);
    let doc_of_filter = "The whole surface as one filter; a path that is not under its base is rejected as not found, so that \
        filters of one's own can follow with `or`.";
    let claims = quote!(|_, path| support::is_under(path, BASE));
    let filter = filters::emit(doc_of_filter, &surface.name, &bounds, &claims, &quote!(dispatch));
    let route = route(surface);
    let refuse = |step, allow: TokenStream| {
        let row = context.model.row_at(step).expect("checked: routing has its rows");
        templates::refuse(row, |_| allow.clone())
    };
    let (nowhere, other_method) = (refuse(Step::Route, quote!("")), refuse(Step::Method, quote!(allow)));
    quote! {
        #[doc = #doc]
        pub mod #module {
            use super::*;

            /// The path before every operation's own.
            pub const BASE: &str = #base;

            #(#operations)*

            #[derive(Clone, Copy)]
            enum Operation { #(#variants,)* }

            /// Where a request goes.
            enum Routed {
                To(Operation),
                OtherMethod(&'static str),
                Nowhere,
            }

            #route

            async fn dispatch<A>(
                app: &A,
                gate: &Gate,
                exchange: &mut support::Exchange,
            ) -> Result<support::Answer, support::Refusal>
            where
                A: #(#bounds)+*,
            {
                match route(&exchange.method, exchange.path()) {
                    #(Routed::To(Operation::#variants) => #modules::run(app, gate, exchange).await,)*
                    Routed::OtherMethod(allow) => Err(#other_method),
                    Routed::Nowhere => Err(#nowhere),
                }
            }

            #filter
        }
    }
}

/// A node of the route trie.
#[derive(Default)]
struct Node<'o> {
    literals: Vec<(&'o str, Node<'o>)>,
    parameter: Option<Box<Node<'o>>>,
    operations: Vec<&'o Operation>,
}

impl<'o> Node<'o> {
    fn insert(&mut self, segments: &'o [Segment], operation: &'o Operation) {
        let Some((first, rest)) = segments.split_first() else {
            self.operations.push(operation);
            return;
        };
        let next = match first {
            Segment::Parameter(_) => self.parameter.get_or_insert_default(),
            Segment::Literal(name) => {
                let index = self
                    .literals
                    .iter()
                    .position(|(known, _)| known == name)
                    .unwrap_or_else(|| {
                        self.literals.push((name, Node::default()));
                        self.literals.len() - 1
                    });
                &mut self.literals[index].1
            }
        };
        next.insert(rest, operation);
    }

    /// The `match` over the next segment.
    fn emit(&self) -> TokenStream {
        let here = self.methods();
        let literals = self.literals.iter().map(|(name, node)| {
            let next = node.emit();
            quote!(Some(#name) => #next)
        });
        let parameter = match &self.parameter {
            Some(node) => node.emit(),
            None => quote!(Routed::Nowhere),
        };
        quote! {
            match segments.next().as_deref() {
                None => #here,
                Some("") => Routed::Nowhere,
                #(#literals,)*
                Some(_) => #parameter,
            }
        }
    }

    fn methods(&self) -> TokenStream {
        if self.operations.is_empty() {
            return quote!(Routed::Nowhere);
        }
        let methods = self
            .operations
            .iter()
            .map(|operation| quote::format_ident!("{}", operation.method));
        let handlers = self.operations.iter().map(|operation| names::of_type(&operation.name));
        let allow = self
            .operations
            .iter()
            .map(|operation| operation.method.as_str())
            .collect::<Vec<_>>()
            .join(", ");
        quote! {
            match *method {
                #(support::Method::#methods => Routed::To(Operation::#handlers),)*
                _ => Routed::OtherMethod(#allow),
            }
        }
    }
}

fn route(surface: &Surface) -> TokenStream {
    let mut root = Node::default();
    for operation in &surface.operations {
        root.insert(&operation.segments, operation);
    }
    let matched = root.emit();
    quote! {
        /// Walks the path's segments; a literal wins over a parameter.
        fn route(method: &support::Method, path: &str) -> Routed {
            if !support::is_under(path, BASE) {
                return Routed::Nowhere;
            }
            let mut segments = support::segments_under(path, BASE);
            #matched
        }
    }
}

fn service(context: &Context<'_>) -> TokenStream {
    let surfaces: Vec<&Surface> = context.model.surfaces.iter().collect();
    let bounds = bounds(context, &surfaces, From::Root);
    let modules = surfaces.iter().map(|surface| names::value(&surface.name));
    let filters =
        modules.map(|module| quote!(#module::filter(std::sync::Arc::clone(&app), std::sync::Arc::clone(&gate))));
    let chained = filters
        .reduce(|chain, filter| quote!(support::warp::Filter::unify(support::warp::Filter::or(#chain, #filter))));
    quote! {
        /// Every surface as one filter; a path of none of them is rejected as not found.
        pub fn service_filter<A>(
            app: std::sync::Arc<A>,
            gate: std::sync::Arc<Gate>,
        ) -> impl support::warp::Filter<Extract = (support::Response,), Error = support::warp::Rejection> + Clone
        where
            A: #(#bounds)+*,
        {
            #chained
        }
    }
}
