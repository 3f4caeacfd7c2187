//! Searches for inputs of one decoder that reach new code, with libFuzzer: `tests/fuzz/run` builds and calls it. The
//! environment variable `DECODER` selects the decoder.

#![no_main]

use std::sync::LazyLock;

use fuzz::{DECODERS, Decoder};
use libfuzzer_sys::fuzz_target;

static CHOSEN: LazyLock<&Decoder> = LazyLock::new(|| {
    let name = std::env::var("DECODER").expect("DECODER names a decoder");
    let found = DECODERS.iter().find(|decoder| decoder.name == name);
    found.unwrap_or_else(|| panic!("there is no decoder {name}"))
});

fuzz_target!(|bytes: &[u8]| (CHOSEN.run)(bytes));
