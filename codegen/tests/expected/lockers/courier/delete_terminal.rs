// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `DELETE /terminals/:id (delete_terminal, tests/lockers/api.yaml:383:7)`. Shut a terminal out, the one in use included.
#[diagnostic::on_unimplemented(
    message = "no handler for DELETE /terminals/:id (delete_terminal, tests/lockers/api.yaml:383:7)",
    note = "implement `courier::DeleteTerminal` for `{Self}`"
)]
pub trait DeleteTerminal: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn delete_terminal(
        &self,
        request: delete_terminal::Request,
    ) -> impl Future<
        Output = Result<delete_terminal::Success, delete_terminal::Error>,
    > + Send;
}

/// `DELETE /terminals/:id (delete_terminal, tests/lockers/api.yaml:383:7)`
pub mod delete_terminal {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "DELETE";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/terminals/:id";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: TerminalKeyCaller,
        /// The path.
        pub path: Path,
        /// The terminal, which the caller owns.
        pub terminal: Owned<Terminal>,
    }

    /// What stands in the path.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Path {
        /// `id` (tests/lockers/api.yaml:386:17)
        pub id: TerminalId,
    }

    impl Path {
        pub(super) fn decode(
            exchange: &support::Exchange,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let given_id = exchange.parameter("id", 3, faults, TerminalId::decode);
            Some(Self { id: given_id? })
        }
    }

    /// What a success says.
    pub type Success = ();

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownTerminal,
        /// `read_only`: 503 (tests/lockers/api.yaml:49:3)
        ReadOnly,
        /// `broken`: 500 (tests/lockers/api.yaml:50:3)
        Broken,
    }

    impl From<support::Failure> for Error {
        fn from(failure: support::Failure) -> Self {
            match failure {
                support::Failure::Unwritable => Self::ReadOnly,
                support::Failure::Internal => Self::Broken,
            }
        }
    }

    #[allow(unused_variables)]
    pub(super) fn run<'r, A>(
        app: &'r A,
        gate: &'r Gate,
        exchange: &'r mut support::Exchange,
    ) -> support::Steps<'r>
    where
        A: DeleteTerminal + AdmitTerminalKey + FindTerminal,
    {
        Box::pin(async move {
            exchange.reached("delete_terminal");
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
            gate.check_writes(exchange, (0, caller.limited_by.get()))?;
            let mut faults = support::Faults::new();
            let path = Path::decode(exchange, &mut faults);
            let query = Some(
                support::Members::of_query(exchange.query(), &[], &mut faults),
            );
            let (Some(path), Some(query), true) = (path, query, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            let terminal_id = path.id;
            let terminal = Found::<Terminal>::look_up(app, terminal_id).await?;
            let Some(terminal) = terminal else {
                return Err(errors::unknown("terminal", terminal_id));
            };
            let Some(terminal) = Owned::<
                Terminal,
            >::claim_by_courier(&terminal, caller.id) else {
                return Err(errors::unknown("terminal", terminal_id));
            };
            match app.delete_terminal(Request { caller, path, terminal }).await {
                Ok(success) => {
                    Ok(envelope::success(200, None, Some("Terminal shut out"), &[]))
                }
                Err(error) => {
                    Err(
                        match error {
                            Error::UnknownTerminal => {
                                errors::unknown("terminal", terminal_id)
                            }
                            Error::ReadOnly => errors::read_only(),
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
        A: DeleteTerminal + AdmitTerminalKey + FindTerminal,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::DeleteTerminal))
            },
            run,
        )
    }
}
