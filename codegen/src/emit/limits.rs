//! Emits limits: the rate limiters that every request passes, and the headers that report them.

mod response_bytes;
mod sharing;
mod waits;

use self::response_bytes::SentBytes;
use self::sharing::Sharing;
use self::waits::Waits;
use crate::emit::shared::{Context, literals, names, templates};
use crate::model::{Counts, EnvelopeValue, ErrorEntry, Limit, Model, Per, Piece, Template};
use crate::step::Step;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let fields: Vec<_> = model.limits.iter().map(|limit| names::value(&limit.name)).collect();
    let SentBytes {
        field: sent,
        new: no_sent,
        evict: evict_sent,
        size: sent_size,
        method: check_sent,
    } = response_bytes::emit(context).unwrap_or_default();
    let sizes: Vec<_> = model.limits.iter().flat_map(sizes).chain(sent_size).collect();
    let count = literals::size(sizes.len());
    let keys = model.limits.iter().map(|limit| match is_of_address(limit) {
        false => quote!((u16, i64)),
        true => quote!(std::net::IpAddr),
    });
    let news = model.limits.iter().map(|limit| {
        let (max, window) = bounds(limit);
        let owner_max = limit.owner_max.map(Literal::u32_unsuffixed);
        let owners = owner_max.map(|max| quote!(.with_owner_max(#max).sharing_owners(settings.is_shared)));
        let keys = is_of_address(limit).then(|| quote!(.sharing_keys(settings.is_shared)));
        quote!(support::Limiter::new(#max, #window, settings.clock.clone())#owners #keys)
    });
    let checks: Vec<_> = model.limits.iter().filter_map(|limit| check(context, limit)).collect();
    let Sharing {
        setting: is_shared,
        default: not_shared,
        methods: exchange,
    } = sharing::emit(context).unwrap_or_default();
    let reject_credential = reject_credential(context);
    let take_permit = take_permit(context);
    let is_limited =
        !checks.is_empty() || take_permit.is_some() || check_sent.is_some() || failed_credentials(model).is_some();
    let enabled = is_limited.then(|| quote!(enabled: bool,));
    let enabled_value = is_limited.then(|| quote!(enabled: settings.rate_limits,));
    let in_flight = take_permit
        .as_ref()
        .map(|_| quote!(in_flight: support::InFlightRequests,));
    let no_in_flight = take_permit
        .as_ref()
        .map(|_| quote!(in_flight: support::InFlightRequests::default(),));
    let check_budget = check_budget(context);
    let takes_keys = model
        .operations()
        .any(|(_, operation)| operation.keep_seconds.is_some());
    let declared = model.idempotency.as_ref().filter(|_| takes_keys);
    let find_answer = declared.map(|declared| {
        let header = &declared.header.text;
        quote! {
            pub use support::FindAnswer;

            /// The request header that carries the idempotency key.
            pub const IDEMPOTENCY_KEY: &str = #header;
        }
    });
    let running = takes_keys.then(|| quote!(keys: support::RunningKeys,));
    let none_running = takes_keys.then(|| quote!(keys: support::RunningKeys::new(settings.clock.clone()),));
    let tells_time = EnvelopeValue::shows(&context.model.error, "time");
    let clock = tells_time.then(|| quote!(clock: support::Clock,));
    let clock_of_settings = tells_time.then(|| quote!(clock: settings.clock.clone(),));
    let waits = waits::emit(context);
    let Waits {
        setting,
        default,
        field,
        new,
        method,
    } = waits.unwrap_or_default();
    quote! {
        #find_answer

        /// The settings of a [`Limits`].
        #[derive(Clone, Debug)]
        pub struct LimitSettings {
            /// Whether rate limits are enforced.
            pub rate_limits: bool,
            /// The clock of the windows.
            pub clock: support::Clock,
            #is_shared
            /// Gets a report of every request.
            pub observer: Option<std::sync::Arc<dyn support::Observer>>,
            #setting
        }

        impl Default for LimitSettings {
            /// Rate limits are enforced, by the system's clock, without an observer.
            fn default() -> Self {
                Self { rate_limits: true, clock: support::Clock::system(), #not_shared observer: None, #default }
            }
        }

        /// The rate limiters of the contract: one for the whole process.
        pub struct Limits {
            #enabled
            observer: Option<std::sync::Arc<dyn support::Observer>>,
            #clock
            unsent: std::sync::Arc<support::Budget>,
            #(#fields: support::Limiter<#keys>,)*
            #sent
            #in_flight
            #running
            #field
        }

        impl Default for Limits {
            /// Rate limiters with the default settings.
            fn default() -> Self {
                Self::new(&LimitSettings::default())
            }
        }

        impl Limits {
            /// Rate limiters that have counted nothing yet.
            #[must_use]
            pub fn new(settings: &LimitSettings) -> Self {
                Self {
                    #enabled_value
                    observer: settings.observer.clone(),
                    #clock_of_settings
                    unsent: std::sync::Arc::default(),
                    #(#fields: #news,)*
                    #no_sent
                    #no_in_flight
                    #none_running
                    #new
                }
            }

            /// Evicts callers of past windows; to be called periodically.
            pub fn evict_idle(&self) {
                #(self.#fields.evict_idle();)*
                #evict_sent
            }

            /// The number of callers, and of owners of credentials, that each limit remembers.
            #[must_use]
            pub fn sizes(&self) -> [(&'static str, usize); #count] {
                [#(#sizes,)*]
            }

            #exchange

            /// The bytes of answers that wait to be sent, without those shared with the store. Always 0 for a contract without
            /// an error of the step `busy`.
            #[must_use]
            pub fn unsent_bytes(&self) -> usize {
                self.unsent.bytes()
            }

            #(#checks)*
            #reject_credential
            #check_sent
            #take_permit
            #check_budget
            #method
        }
    }
}

/// Whether it counts by address, which other processes see too. Requests with one credential are all sent to one.
fn is_of_address(limit: &Limit) -> bool {
    match limit.counts {
        Counts::Methods { per, .. } => per == Per::Address,
        Counts::FailedCredentials => true,
    }
}

fn sizes(limit: &Limit) -> Vec<TokenStream> {
    let (name, field) = (&limit.name, names::value(&limit.name));
    let owner_name = limit.owner_name();
    let owners = limit.owner_max.map(|_| quote!((#owner_name, self.#field.owners())));
    std::iter::once(quote!((#name, self.#field.len())))
        .chain(owners)
        .collect()
}

fn bounds(limit: &Limit) -> (TokenStream, TokenStream) {
    let max = Literal::u32_unsuffixed(limit.max);
    let window = Literal::u32_unsuffixed(limit.window_seconds);
    (quote!(#max), quote!(#window))
}

/// The check of a limit; `None` if the limit counts no operation.
fn check(context: &Context<'_>, limit: &Limit) -> Option<TokenStream> {
    let Counts::Methods { per, .. } = limit.counts else {
        return None;
    };
    let mut operations = context.model.operations();
    operations.find(|(_, operation)| operation.limit.as_ref() == Some(&limit.name))?;
    let field = names::value(&limit.name);
    let method = format_ident!("check_{}", names::snake(&limit.name));
    let reported = reported(context, limit);
    let answered = context.model.limit_headers.len() + context.model.headers.len() + CONTENT_TYPE;
    let entry = context.model.error_at(Step::Limit).expect("checked: limits have a row");
    let error_response = templates::error_response(entry, |_| quote!(decision.seconds));
    let of = match per {
        Per::Caller => quote!((u16, i64)),
        Per::Address => quote!(Option<std::net::IpAddr>),
    };
    let unknown = (per == Per::Address).then(|| quote!(let Some(caller) = caller else { return Ok(()) };));
    let (owner, counted) = match limit.owner_max {
        Some(_) => (
            Some(quote!(owner: Option<#of>,)),
            quote!(check_owned(&caller, owner.as_ref())),
        ),
        None => (None, quote!(check(&caller))),
    };
    Some(quote! {
        fn #method(
            &self,
            exchange: &mut support::Exchange,
            caller: #of,
            #owner
        ) -> Result<(), support::ErrorResponse> {
            if !self.enabled {
                return Ok(());
            }
            #unknown
            let decision = self.#field.#counted;
            exchange.reserve_headers(#answered);
            #reported
            if decision.allowed { Ok(()) } else { Err(#error_response) }
        }
    })
}

fn reject_credential(context: &Context<'_>) -> TokenStream {
    let is_needed = !context.model.credentials.is_empty();
    let Some(entry) = context.model.error_at(Step::Credential).filter(|_| is_needed) else {
        return quote!();
    };
    let [header, problem] = ["header", "problem"].map(|name| templates::parameter(entry, name, name));
    let error_response = templates::error_response(entry, |name| match name {
        "header" => quote!(#header),
        _ => quote!(#problem),
    });
    let failed = failed_credentials(context.model);
    let address = format_ident!("{}address", if failed.is_some() { "" } else { "_" });
    let limited = failed.map(|(limit, entry)| {
        let field = names::value(&limit.name);
        let error_response = templates::error_response(entry, |_| quote!(decision.seconds));
        quote! {
            if self.enabled && let Some(address) = address {
                let decision = self.#field.check(&address);
                if !decision.allowed {
                    return #error_response;
                }
            }
        }
    });
    quote! {
        /// The error response to an unknown credential, which counts as a failure of its address.
        fn reject_credential(
            &self,
            #address: Option<std::net::IpAddr>,
            #header: &str,
            #problem: &str,
        ) -> support::ErrorResponse {
            #limited
            #error_response
        }
    }
}

/// The limit of failed credentials with its error; `None` if no operation needs a credential.
fn failed_credentials(model: &Model) -> Option<(&Limit, &ErrorEntry)> {
    let limit = model
        .limits
        .iter()
        .find(|limit| limit.counts == Counts::FailedCredentials)?;
    model.credentials.first()?;
    Some((limit, model.error_at(Step::CredentialLimit)?))
}

/// The function that bounds the requests in flight; `None` if the contract has no such bound.
fn take_permit(context: &Context<'_>) -> Option<TokenStream> {
    let model = context.model;
    let mut operations = model.operations();
    operations.find(|(surface, operation)| model.at_once(surface, operation).is_some())?;
    let entry = model
        .error_at(Step::InFlight)
        .expect("checked: what is bounded has a row");
    let error_response = templates::error_response(entry, |_| quote!(max));
    Some(quote! {
        /// Counts a request as one that its caller has in flight, until its answer is sent.
        fn take_permit(
            &self,
            exchange: &mut support::Exchange,
            caller: support::InFlightKey,
            max: u32,
        ) -> Result<(), support::ErrorResponse> {
            if !self.enabled {
                return Ok(());
            }
            let permit = self.in_flight.take(caller, max).ok_or_else(|| #error_response)?;
            exchange.hold(permit);
            Ok(())
        }
    })
}

fn check_budget(context: &Context<'_>) -> TokenStream {
    let Some(entry) = context.model.error_at(Step::Busy) else {
        return quote!();
    };
    let error_response = templates::error_response(entry, |_| quote!(""));
    quote! {
        /// Rejects a request while too many bytes wait to be sent, and counts those of its answer. This bounds memory even
        /// with rate limits off.
        fn check_budget(&self, exchange: &mut support::Exchange, payer: support::Payer) -> Result<(), support::ErrorResponse> {
            if self.unsent.is_spent(payer) {
                return Err(#error_response);
            }
            exchange.charge_to(&self.unsent, payer);
            Ok(())
        }
    }
}

/// `Content-Type`: the header of every answer, in every contract.
const CONTENT_TYPE: usize = 1;

/// The rate that a limit reports: its own, or the owner's if that has less left.
fn reported(context: &Context<'_>, limit: &Limit) -> TokenStream {
    let own = limit_headers(context, limit, &limit.name, limit.max);
    let own = quote!(#(#own)*);
    match limit.owner_max {
        Some(max) if !own.is_empty() => {
            let owners = limit_headers(context, limit, &limit.owner_name(), max);
            quote!(if decision.is_owners { #(#owners)* } else { #own })
        }
        _ => own,
    }
}

/// The headers that report a limit. Values that are the same in every answer are constants.
fn limit_headers(context: &Context<'_>, limit: &Limit, name: &str, max: u32) -> Vec<TokenStream> {
    let headers = context.model.limit_headers.iter();
    let header = |(header, template): &(String, Template)| {
        let header = header.to_lowercase();
        let header = quote!(const { support::HeaderName::from_static(#header) });
        let template = template.filled(|placeholder| match placeholder {
            "limit" => Some(name.to_owned()),
            "max" => Some(max.to_string()),
            "window_seconds" => Some(limit.window_seconds.to_string()),
            _ => None,
        });
        let fill = |placeholder: &str| match placeholder {
            "remaining" => quote!(u64::from(decision.remaining)),
            "seconds" => quote!(decision.seconds),
            _ => quote!(decision.reset_unix),
        };
        match template.0.as_slice() {
            [Piece::Text(text)] => templates::constant_header(&header, text),
            [Piece::Placeholder(number)] => {
                let number = fill(number);
                quote!(exchange.reply_number(#header, #number);)
            }
            _ => {
                let value = templates::string(&template, fill);
                quote!(exchange.reply_header(#header, &#value);)
            }
        }
    };
    headers.map(header).collect()
}
