// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

mod bodies {
    use super::{errors, support};

    /// The whole body of a request.
    #[allow(dead_code)]
    pub(crate) async fn read(
        exchange: &mut support::Exchange,
        max_bytes: usize,
    ) -> Result<support::Bytes, support::Refusal> {
        exchange
            .read_body(max_bytes, 10)
            .await
            .map_err(|fault| match fault {
                support::BodyFault::TooLarge => errors::too_large(max_bytes),
                support::BodyFault::TooSlow => errors::too_slow(10),
                support::BodyFault::Broken => errors::malformed("the body broke off"),
            })
    }
}
