//! The compiler's reader: any text gives a contract or diagnostics.

use codegen::{Options, diagnostic};

/// The bytes are an `api.yaml`.
pub(crate) fn contract(bytes: &[u8]) {
    let Ok(source) = str::from_utf8(bytes) else { return };
    let options = Options {
        file: "api.yaml",
        support: "support",
    };
    if let Err(diagnostics) = codegen::generate(source, options) {
        assert!(!diagnostics.is_empty(), "rejected without a reason");
        let texts = diagnostic::render(&diagnostics, "api.yaml", source);
        assert!(texts.first().is_some_and(|text| text.contains("api.yaml")), "{texts:?}");
    }
}
