//! The refusals that an operation's handler, too, can give: the type that holds just these, and the calls that make them.

use super::super::{names, templates};
use super::Subject;
use crate::model::Row;
use crate::step::Step;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// A refusal that the handler, too, can give.
pub(super) struct Refusal<'r> {
    pub(super) variant: Ident,
    row: &'r Row,
    pub(super) moved: Option<Ident>,
    pub(super) call: TokenStream,
}

pub(super) fn refusals<'s>(subject: &'s Subject<'_>) -> Vec<Refusal<'s>> {
    let (operation, model) = (subject.operation, subject.context.model);
    let mut out = Vec::new();
    let mut add = |row: &'s Row, suffix: &str, moved: Option<Ident>, call: TokenStream| {
        let variant = format_ident!("{}{suffix}", names::pascal(&row.name));
        out.push(Refusal {
            variant,
            row,
            moved,
            call,
        });
    };
    if operation.plan.is_some() {
        add(subject.row(Step::Plan), "", None, refuse_plan(subject));
    }
    for exists in &operation.exists {
        add(
            subject.row(Step::Exists),
            &names::pascal(&exists.resource),
            None,
            refuse_absent(subject, &exists.resource),
        );
    }
    for resource in operation
        .owned
        .iter()
        .filter(|resource| !model.resource(resource).private)
    {
        add(
            subject.row(Step::Owner),
            &names::pascal(resource),
            None,
            refuse_stranger(subject, resource),
        );
    }
    if let Some(quota) = &operation.quota {
        let quota = model.quota(quota);
        let (max, noun) = (quota.max, &quota.noun);
        let row = subject.row(Step::Quota);
        let call = templates::refuse(row, |name| if name == "max" { quote!(#max) } else { quote!(#noun) });
        add(row, "", None, call);
    }
    if let Some((resource, states)) = &operation.transitions {
        let (noun, id, row) = (
            subject.noun(resource),
            subject.id(resource),
            subject.row(Step::Transition),
        );
        let call = templates::refuse(row, |name| match name {
            "noun" => quote!(#noun),
            "id" => quote!(#id),
            "from" => quote!(from.as_str()),
            _ => quote!(to.as_str()),
        });
        add(row, "", Some(names::of_type(states)), call);
    }
    for name in &operation.rules {
        let row = model.row(name);
        let call = templates::refuse(row, |placeholder| {
            let field = names::value(placeholder);
            quote!(path.#field)
        });
        add(row, "", None, call);
    }
    if let Some(row) = model.row_at(Step::Write).filter(|_| !subject.is_read()) {
        add(row, "", None, templates::refuse(row, |_| quote!("")));
    }
    let row = subject.row(Step::Internal);
    add(row, "", None, templates::refuse(row, |_| quote!("")));
    out
}

pub(super) fn refuse_plan(subject: &Subject<'_>) -> TokenStream {
    let plan = subject.operation.plan.as_deref().unwrap_or_default();
    templates::refuse(subject.row(Step::Plan), |_| quote!(#plan))
}

pub(super) fn refuse_absent(subject: &Subject<'_>, resource: &str) -> TokenStream {
    refuse_named(subject, resource, Step::Exists)
}

pub(super) fn refuse_stranger(subject: &Subject<'_>, resource: &str) -> TokenStream {
    let private = subject.context.model.resource(resource).private;
    refuse_named(subject, resource, if private { Step::Exists } else { Step::Owner })
}

fn refuse_named(subject: &Subject<'_>, resource: &str, step: Step) -> TokenStream {
    let (noun, id) = (subject.noun(resource), subject.id(resource));
    templates::refuse(subject.row(step), |name| {
        if name == "noun" { quote!(#noun) } else { quote!(#id) }
    })
}

pub(super) fn error_type(subject: &Subject<'_>) -> TokenStream {
    let refusals = refusals(subject);
    let variants = refusals.iter().map(|refusal| {
        let (variant, row) = (&refusal.variant, refusal.row);
        let doc = format!("`{}`: {} {}", row.name, row.status, subject.context.place(row.at));
        let moved = refusal.moved.as_ref().map(|states| {
            quote! {
                {
                    /// The present state.
                    from: #states,
                    /// The state that was asked for.
                    to: #states,
                }
            }
        });
        quote!(#[doc = #doc] #variant #moved)
    });
    let variant_at = |step: Step| {
        refusals
            .iter()
            .find(|refusal| refusal.row.step == step)
            .map(|one| &one.variant)
    };
    let internal = variant_at(Step::Internal);
    let unwritable = variant_at(Step::Write).or(internal);
    quote! {
        /// The refusals that this operation can give, besides those of the steps before its guards.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Error { #(#variants,)* }

        impl From<support::Failure> for Error {
            fn from(failure: support::Failure) -> Self {
                match failure {
                    support::Failure::Unwritable => Self::#unwritable,
                    support::Failure::Internal => Self::#internal,
                }
            }
        }
    }
}
