// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The credential `terminal_key`. (tests/lockers/api.yaml:70:3)
pub mod terminal_key {
    /// The request header that carries it.
    pub const HEADER: &str = "Lockers-Terminal";

    /// Makes a new one.
    #[must_use]
    pub fn mint() -> String {
        super::support::mint("term_", 32)
    }

    /// What a listing shows of it.
    #[must_use]
    pub fn shown(secret: &str) -> String {
        super::support::shown(secret, 9)
    }

    /// The caller of a request, or the refusal of its credential. That the future can be sent is said here, and so
    /// need not be proven again for each operation.
    #[allow(dead_code)]
    pub(crate) fn admitted<A: super::AdmitTerminalKey + Sync>(
        app: &A,
        gate: &super::Gate,
        headers: &super::support::HeaderMap,
        address: Option<std::net::IpAddr>,
    ) -> impl Future<
        Output = Result<super::TerminalKeyCaller, super::support::Refusal>,
    > + Send {
        find(app, gate, headers, address)
    }

    async fn find<A: super::AdmitTerminalKey>(
        app: &A,
        gate: &super::Gate,
        headers: &super::support::HeaderMap,
        address: Option<std::net::IpAddr>,
    ) -> Result<super::TerminalKeyCaller, super::support::Refusal> {
        let caller = match super::support::credential(headers, HEADER) {
            Some(presented) => {
                app.admit_terminal_key(presented).await.map_err(super::errors::failure)?
            }
            None => None,
        };
        caller.ok_or_else(|| gate.refuse_credential(address, HEADER))
    }
}

/// Who calls with `terminal_key`. (tests/lockers/api.yaml:70:3)
#[derive(Clone, Debug)]
pub struct TerminalKeyCaller {
    /// Who acts.
    pub id: CourierId,
    /// What the limits count by.
    pub limited_by: TerminalId,
    /// Its plan.
    pub plan: Plan,
    /// Whether it is shut out.
    pub suspended: bool,
}

/// Finds who a `terminal_key` stands for. (tests/lockers/api.yaml:70:3)
#[diagnostic::on_unimplemented(
    message = "nothing finds the caller of `Lockers-Terminal` (tests/lockers/api.yaml:70:3)"
)]
pub trait AdmitTerminalKey {
    /// The caller, or nothing where the credential is not known (any more).
    fn admit_terminal_key(
        &self,
        presented: &str,
    ) -> impl Future<
        Output = Result<Option<TerminalKeyCaller>, support::Failure>,
    > + Send;
}

/// The credential `pass`. (tests/lockers/api.yaml:71:3)
pub mod pass {
    /// The request header that carries it.
    pub const HEADER: &str = "Lockers-Pass";

    /// Makes a new one.
    #[must_use]
    pub fn mint() -> String {
        super::support::mint("pass_", 24)
    }

    /// The caller of a request, or the refusal of its credential. That the future can be sent is said here, and so
    /// need not be proven again for each operation.
    #[allow(dead_code)]
    pub(crate) fn admitted<A: super::AdmitPass + Sync>(
        app: &A,
        gate: &super::Gate,
        headers: &super::support::HeaderMap,
        address: Option<std::net::IpAddr>,
    ) -> impl Future<
        Output = Result<super::PassCaller, super::support::Refusal>,
    > + Send {
        find(app, gate, headers, address)
    }

    async fn find<A: super::AdmitPass>(
        app: &A,
        gate: &super::Gate,
        headers: &super::support::HeaderMap,
        address: Option<std::net::IpAddr>,
    ) -> Result<super::PassCaller, super::support::Refusal> {
        let caller = match super::support::credential(headers, HEADER) {
            Some(presented) => {
                app.admit_pass(presented).await.map_err(super::errors::failure)?
            }
            None => None,
        };
        caller.ok_or_else(|| gate.refuse_credential(address, HEADER))
    }
}

/// Who calls with `pass`. (tests/lockers/api.yaml:71:3)
#[derive(Clone, Debug)]
pub struct PassCaller {
    /// Who acts.
    pub id: RecipientId,
    /// What the limits count by.
    pub limited_by: RecipientId,
}

/// Finds who a `pass` stands for. (tests/lockers/api.yaml:71:3)
#[diagnostic::on_unimplemented(
    message = "nothing finds the caller of `Lockers-Pass` (tests/lockers/api.yaml:71:3)"
)]
pub trait AdmitPass {
    /// The caller, or nothing where the credential is not known (any more).
    fn admit_pass(
        &self,
        presented: &str,
    ) -> impl Future<Output = Result<Option<PassCaller>, support::Failure>> + Send;
}

/// The credential `badge`. (tests/lockers/api.yaml:72:3)
pub mod badge {
    /// The request header that carries it.
    pub const HEADER: &str = "Lockers-Badge";

    /// Makes a new one.
    #[must_use]
    pub fn mint() -> String {
        super::support::mint("badge_", 40)
    }

    /// The caller of a request, or the refusal of its credential. That the future can be sent is said here, and so
    /// need not be proven again for each operation.
    #[allow(dead_code)]
    pub(crate) fn admitted<A: super::AdmitBadge + Sync>(
        app: &A,
        gate: &super::Gate,
        headers: &super::support::HeaderMap,
        address: Option<std::net::IpAddr>,
    ) -> impl Future<
        Output = Result<super::BadgeCaller, super::support::Refusal>,
    > + Send {
        find(app, gate, headers, address)
    }

    async fn find<A: super::AdmitBadge>(
        app: &A,
        gate: &super::Gate,
        headers: &super::support::HeaderMap,
        address: Option<std::net::IpAddr>,
    ) -> Result<super::BadgeCaller, super::support::Refusal> {
        let caller = match super::support::credential(headers, HEADER) {
            Some(presented) => {
                app.admit_badge(presented).await.map_err(super::errors::failure)?
            }
            None => None,
        };
        caller.ok_or_else(|| gate.refuse_credential(address, HEADER))
    }
}

/// Who calls with `badge`. (tests/lockers/api.yaml:72:3)
#[derive(Clone, Debug)]
pub struct BadgeCaller {}
/// Finds who a `badge` stands for. (tests/lockers/api.yaml:72:3)
#[diagnostic::on_unimplemented(
    message = "nothing finds the caller of `Lockers-Badge` (tests/lockers/api.yaml:72:3)"
)]
pub trait AdmitBadge {
    /// The caller, or nothing where the credential is not known (any more).
    fn admit_badge(
        &self,
        presented: &str,
    ) -> impl Future<Output = Result<Option<BadgeCaller>, support::Failure>> + Send;
}
