// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// How many there may be.
pub mod quotas {
    /// At most this many terminals. (tests/lockers/api.yaml:66:3)
    pub const TERMINALS: i64 = 5;

    /// At most this many reservations. (tests/lockers/api.yaml:67:3)
    pub const RESERVATIONS: i64 = 3;
}

/// How a [`Gate`] is set up.
#[derive(Clone, Debug)]
pub struct GateSettings {
    /// Whether the limits hold.
    pub rate_limits: bool,
    /// The clock that the windows follow.
    pub clock: support::Clock,
    /// Who is told of every request, if anybody.
    pub observer: Option<std::sync::Arc<dyn support::Observer>>,
}

impl Default for GateSettings {
    /// The limits hold, by the system's clock, and nobody observes.
    fn default() -> Self {
        Self {
            rate_limits: true,
            clock: support::Clock::system(),
            observer: None,
        }
    }
}

/// The limits of the contract, counting; one for the whole process.
pub struct Gate {
    #[allow(dead_code)]
    enabled: bool,
    observer: Option<std::sync::Arc<dyn support::Observer>>,
    reads: support::Limiter<(u16, i64)>,
    writes: support::Limiter<(u16, i64)>,
    searches: support::Limiter<std::net::IpAddr>,
    crew: support::Limiter<std::net::IpAddr>,
    guesses: support::Limiter<std::net::IpAddr>,
}

impl Gate {
    /// A gate that has counted nothing yet.
    #[must_use]
    #[allow(unused_variables)]
    pub fn new(settings: &GateSettings) -> Self {
        Self {
            enabled: settings.rate_limits,
            observer: settings.observer.clone(),
            reads: support::Limiter::new(120, 60, settings.clock.clone()),
            writes: support::Limiter::new(200, 3600, settings.clock.clone()),
            searches: support::Limiter::new(10, 1, settings.clock.clone()),
            crew: support::Limiter::new(300, 60, settings.clock.clone()),
            guesses: support::Limiter::new(100, 86400, settings.clock.clone()),
        }
    }

    /// Forgets the callers of former windows; to be called now and then.
    pub fn sweep(&self) {
        self.reads.sweep();
        self.writes.sweep();
        self.searches.sweep();
        self.crew.sweep();
        self.guesses.sweep();
    }

    /// How many callers each limit remembers at present.
    #[must_use]
    pub fn sizes(&self) -> [(&'static str, usize); 5] {
        [
            ("reads", self.reads.len()),
            ("writes", self.writes.len()),
            ("searches", self.searches.len()),
            ("crew", self.crew.len()),
            ("guesses", self.guesses.len()),
        ]
    }

    #[allow(dead_code)]
    fn check_reads(
        &self,
        exchange: &mut support::Exchange,
        caller: (u16, i64),
    ) -> Result<(), support::Refusal> {
        if !self.enabled {
            return Ok(());
        }
        let verdict = self.reads.check(&caller);
        exchange.reserve_headers(5usize);
        exchange
            .reply_constant(
                const { support::HeaderName::from_static("lockers-limit") },
                "reads; 120 in 60 s",
            );
        exchange
            .reply_number(
                const { support::HeaderName::from_static("lockers-remaining") },
                u64::from(verdict.remaining),
            );
        exchange
            .reply_header(
                const { support::HeaderName::from_static("lockers-reset") },
                &format!("{}, at {}", verdict.seconds, verdict.reset_unix),
            );
        if verdict.allowed { Ok(()) } else { Err(errors::too_many(verdict.seconds)) }
    }

    #[allow(dead_code)]
    fn check_writes(
        &self,
        exchange: &mut support::Exchange,
        caller: (u16, i64),
    ) -> Result<(), support::Refusal> {
        if !self.enabled {
            return Ok(());
        }
        let verdict = self.writes.check(&caller);
        exchange.reserve_headers(5usize);
        exchange
            .reply_constant(
                const { support::HeaderName::from_static("lockers-limit") },
                "writes; 200 in 3600 s",
            );
        exchange
            .reply_number(
                const { support::HeaderName::from_static("lockers-remaining") },
                u64::from(verdict.remaining),
            );
        exchange
            .reply_header(
                const { support::HeaderName::from_static("lockers-reset") },
                &format!("{}, at {}", verdict.seconds, verdict.reset_unix),
            );
        if verdict.allowed { Ok(()) } else { Err(errors::too_many(verdict.seconds)) }
    }

    #[allow(dead_code)]
    fn check_searches(
        &self,
        exchange: &mut support::Exchange,
        caller: Option<std::net::IpAddr>,
    ) -> Result<(), support::Refusal> {
        if !self.enabled {
            return Ok(());
        }
        let Some(caller) = caller else { return Ok(()) };
        let verdict = self.searches.check(&caller);
        exchange.reserve_headers(5usize);
        exchange
            .reply_constant(
                const { support::HeaderName::from_static("lockers-limit") },
                "searches; 10 in 1 s",
            );
        exchange
            .reply_number(
                const { support::HeaderName::from_static("lockers-remaining") },
                u64::from(verdict.remaining),
            );
        exchange
            .reply_header(
                const { support::HeaderName::from_static("lockers-reset") },
                &format!("{}, at {}", verdict.seconds, verdict.reset_unix),
            );
        if verdict.allowed { Ok(()) } else { Err(errors::too_many(verdict.seconds)) }
    }

    #[allow(dead_code)]
    fn check_crew(
        &self,
        exchange: &mut support::Exchange,
        caller: Option<std::net::IpAddr>,
    ) -> Result<(), support::Refusal> {
        if !self.enabled {
            return Ok(());
        }
        let Some(caller) = caller else { return Ok(()) };
        let verdict = self.crew.check(&caller);
        exchange.reserve_headers(5usize);
        exchange
            .reply_constant(
                const { support::HeaderName::from_static("lockers-limit") },
                "crew; 300 in 60 s",
            );
        exchange
            .reply_number(
                const { support::HeaderName::from_static("lockers-remaining") },
                u64::from(verdict.remaining),
            );
        exchange
            .reply_header(
                const { support::HeaderName::from_static("lockers-reset") },
                &format!("{}, at {}", verdict.seconds, verdict.reset_unix),
            );
        if verdict.allowed { Ok(()) } else { Err(errors::too_many(verdict.seconds)) }
    }

    /// What is said to a credential that is not known, and counted for the address that it came from.
    #[allow(dead_code, unused_variables)]
    fn refuse_credential(
        &self,
        address: Option<std::net::IpAddr>,
        header: &str,
    ) -> support::Refusal {
        if self.enabled && let Some(address) = address {
            let verdict = self.guesses.check(&address);
            if !verdict.allowed {
                return errors::locked_out(verdict.seconds);
            }
        }
        errors::unknown_caller(header)
    }
}
