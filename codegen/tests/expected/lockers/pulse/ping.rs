// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `GET /ping (ping, tests/lockers/api.yaml:266:7)`. Whether the service answers.
#[diagnostic::on_unimplemented(
    message = "no handler for GET /ping (ping, tests/lockers/api.yaml:266:7)",
    note = "implement `pulse::Ping` for `{Self}`"
)]
pub trait Ping: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn ping(
        &self,
        request: ping::Request,
    ) -> impl Future<Output = Result<ping::Success, ping::Error>> + Send;
}

/// `GET /ping (ping, tests/lockers/api.yaml:266:7)`
pub mod ping {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "GET";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/pulse/ping";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {}
    /// What a success says.
    pub type Success = ();

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

    #[allow(unused_variables)]
    pub(super) fn run<'r, A>(
        app: &'r A,
        gate: &'r Gate,
        exchange: &'r mut support::Exchange,
    ) -> support::Steps<'r>
    where
        A: Ping,
    {
        Box::pin(async move {
            exchange.reached("ping");
            let mut faults = support::Faults::new();
            let query = Some(
                support::Members::of_query(exchange.query(), &[], &mut faults),
            );
            let (Some(query), true) = (query, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            match app.ping(Request {}).await {
                Ok(success) => Ok(envelope::success(200, None, None, &[])),
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
        A: Ping,
    {
        serve(
            app,
            gate,
            "pulse",
            |method, path| matches!(route(method, path), Routed::To(Operation::Ping)),
            run,
        )
    }
}
