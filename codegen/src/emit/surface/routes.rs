//! Emits the routes of a surface: a trie over the segments of the paths.

use crate::emit::shared::names;
use crate::model::{Operation, Segment, Surface};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(surface: &Surface) -> TokenStream {
    let mut root = RouteNode::default();
    for operation in &surface.operations {
        root.insert(&operation.segments, operation);
    }
    let matched = root.emit();
    quote! {
        /// Matches the segments of the path; a literal precedes a parameter.
        #[allow(clippy::too_many_lines, reason = "a table of all paths")]
        fn route(method: &support::Method, path: &str) -> Routed {
            if !support::is_under(path, BASE) {
                return Routed::UnknownPath;
            }
            let mut segments = support::segments_under(path, BASE);
            #matched
        }
    }
}

/// A node of the route trie.
#[derive(Default)]
struct RouteNode<'o> {
    literals: Vec<(&'o str, RouteNode<'o>)>,
    parameter: Option<Box<RouteNode<'o>>>,
    operations: Vec<&'o Operation>,
}

impl<'o> RouteNode<'o> {
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
                        self.literals.push((name, RouteNode::default()));
                        self.literals.len() - 1
                    });
                &mut self.literals[index].1
            }
        };
        next.insert(rest, operation);
    }

    /// The `match` over the next segment.
    fn emit(&self) -> TokenStream {
        let literals = self.literals.iter().map(|(name, node)| {
            let next = node.emit();
            quote!(Some(#name) => #next)
        });
        let here = self.methods().map(|methods| quote!(None => #methods,));
        let unknown_path = match (&here, &self.parameter) {
            (_, None) => quote!(_),
            (None, Some(_)) => quote!(None | Some("")),
            (Some(_), Some(_)) => quote!(Some("")),
        };
        let parameter = self.parameter.as_ref().map(|node| {
            let next = node.emit();
            quote!(Some(_) => #next,)
        });
        quote! {
            match segments.next().as_deref() {
                #here
                #(#literals,)*
                #unknown_path => Routed::UnknownPath,
                #parameter
            }
        }
    }

    /// The `match` over the method of a path that ends here.
    fn methods(&self) -> Option<TokenStream> {
        if self.operations.is_empty() {
            return None;
        }
        let methods = self
            .operations
            .iter()
            .map(|operation| format_ident!("{}", *operation.method));
        let handlers = self.operations.iter().map(|operation| names::of_type(&operation.name));
        let allow = self
            .operations
            .iter()
            .map(|operation| operation.method.as_str())
            .collect::<Vec<_>>()
            .join(", ");
        Some(quote! {
            match *method {
                #(support::Method::#methods => Routed::To(Operation::#handlers),)*
                _ => Routed::OtherMethod(#allow),
            }
        })
    }
}
