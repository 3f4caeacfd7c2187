//! The service in this process: the contract's filter and its limits.

use conformance::{Request, Response};
use contract::{Clock, LimitSettings, Limits};
use hitode::app::Hitode;
use hitode::store::Store;
use hitode::store::sled::SledStore;
use std::sync::Arc;
use test_support::in_process::{InProcess, observer};
use warp::Filter;

/// The application under test.
pub(crate) type App = Hitode<SledStore>;

/// The filter of all APIs, and of unknown paths. An observer must be called for each request.
#[derive(Clone)]
pub(crate) struct Service {
    calls: InProcess,
    limits: Arc<Limits>,
}

impl Service {
    /// Without limits, in the time of this clock.
    pub(crate) fn unlimited<S: Store>(app: Arc<Hitode<S>>, clock: Clock) -> Self {
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
    pub(crate) fn limited<S: Store>(app: Arc<Hitode<S>>, clock: Clock) -> Self {
        Self::with(
            app,
            LimitSettings {
                clock,
                ..LimitSettings::default()
            },
        )
    }

    /// Without limits but that on requests that wait.
    pub(crate) fn waiting<S: Store>(app: Arc<Hitode<S>>, waiting: usize) -> Self {
        Self::with(
            app,
            LimitSettings {
                rate_limits: false,
                waiting,
                ..LimitSettings::default()
            },
        )
    }

    fn with<S: Store>(app: Arc<Hitode<S>>, settings: LimitSettings) -> Self {
        let limits = Arc::new(Limits::new(&LimitSettings {
            observer: Some(observer()),
            ..settings
        }));
        let filter = contract::service_filter(app, limits.clone())
            .or(contract::fallback(limits.clone()))
            .unify();
        Self {
            calls: InProcess::from_filter(filter).observed(),
            limits,
        }
    }

    /// Its limits.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Its filter.
    pub(crate) fn calls(&self) -> &InProcess {
        &self.calls
    }

    /// Sends a request and waits for the answer.
    pub(crate) fn call(&self, request: &Request) -> Response {
        self.calls.call(request)
    }
}
