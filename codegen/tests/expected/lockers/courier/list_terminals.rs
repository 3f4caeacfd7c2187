// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `GET /terminals (list_terminals, tests/lockers/api.yaml:377:7)`. The courier's terminals, without their keys.
#[diagnostic::on_unimplemented(
    message = "no handler for GET /terminals (list_terminals, tests/lockers/api.yaml:377:7)",
    note = "implement `courier::ListTerminals` for `{Self}`"
)]
pub trait ListTerminals: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn list_terminals(
        &self,
        request: list_terminals::Request,
    ) -> impl Future<
        Output = Result<list_terminals::Success, list_terminals::Error>,
    > + Send;
}

/// `GET /terminals (list_terminals, tests/lockers/api.yaml:377:7)`
pub mod list_terminals {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "GET";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/terminals";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: TerminalKeyCaller,
    }

    /// What a success says.
    pub type Success = Vec<support::Encoded<TerminalItem>>;

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `broken`: 500 (tests/lockers/api.yaml:50:3)
        Broken,
    }

    impl From<support::Failure> for Error {
        fn from(_: support::Failure) -> Self {
            Self::Broken
        }
    }

    /// The order of the list: `id` ascending.
    #[must_use]
    pub fn order(a: &Terminal, b: &Terminal) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal.then_with(|| a.id.cmp(&b.id))
    }

    #[allow(unused_variables)]
    pub(super) fn run<'r, A>(
        app: &'r A,
        gate: &'r Gate,
        exchange: &'r mut support::Exchange,
    ) -> support::Steps<'r>
    where
        A: ListTerminals + AdmitTerminalKey,
    {
        Box::pin(async move {
            exchange.reached("list_terminals");
            let caller = super::super::terminal_key::admitted(
                    app,
                    gate,
                    &exchange.headers,
                    exchange.peer,
                )
                .await?;
            exchange.admitted("courier", Some(caller.id.get()));
            if caller.suspended {
                return Err(errors::barred());
            }
            gate.check_reads(exchange, (0, caller.limited_by.get()))?;
            let mut faults = support::Faults::new();
            let query = Some(
                support::Members::of_query(exchange.query(), &[], &mut faults),
            );
            let (Some(query), true) = (query, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            match app.list_terminals(Request { caller }).await {
                Ok(success) => Ok(envelope::success(200, Some(&success), None, &[])),
                Err(error) => {
                    Err(
                        match error {
                            Error::Broken => errors::broken(),
                        },
                    )
                }
            }
        })
    }

    /// This operation alone, as a filter for an app of one's own; any other request is rejected as not found.
    pub fn filter<A>(
        app: std::sync::Arc<A>,
        gate: std::sync::Arc<Gate>,
    ) -> impl support::warp::Filter<
        Extract = (support::Response,),
        Error = support::warp::Rejection,
    > + Clone
    where
        A: ListTerminals + AdmitTerminalKey,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::ListTerminals))
            },
            run,
        )
    }
}
