//! The service in this process: the contract's filter and its limits.

use conformance::{Request, Response};
use contract::{Clock, LimitSettings, Limits};
use hitode::app::Hitode;
use std::sync::Arc;
use test_support::in_process::{InProcess, observer};
use warp::Filter;

/// The filter of all APIs, and of unknown paths. An observer must be called for each request.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) calls: InProcess,
    limits: Arc<Limits>,
}

impl Service {
    /// Without limits, in the time of this clock.
    pub(crate) fn unlimited(app: Arc<Hitode>, clock: Clock) -> Self {
        Self::with(
            app,
            LimitSettings {
                rate_limits: false,
                clock,
                ..LimitSettings::default()
            },
        )
    }

    /// With unused limits, in the time of this clock.
    pub(crate) fn limited(app: Arc<Hitode>, clock: Clock) -> Self {
        Self::with(
            app,
            LimitSettings {
                clock,
                ..LimitSettings::default()
            },
        )
    }

    /// Without limits but that on requests that wait.
    pub(crate) fn waiting(app: Arc<Hitode>, waiting: usize) -> Self {
        Self::with(
            app,
            LimitSettings {
                rate_limits: false,
                waiting,
                ..LimitSettings::default()
            },
        )
    }

    fn with(app: Arc<Hitode>, settings: LimitSettings) -> Self {
        let limits = Arc::new(Limits::new(&LimitSettings {
            observer: Some(observer()),
            ..settings
        }));
        let filter = contract::service_filter(app, limits.clone())
            .or(contract::fallback(limits.clone()))
            .unify();
        Self {
            calls: InProcess::from_filter(filter).observed(&[contract::agent::MCP_PATH]),
            limits,
        }
    }

    /// Its limits.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Sends a request and waits for the answer.
    pub(crate) fn call(&self, request: &Request) -> Response {
        self.calls.call(request)
    }
}
