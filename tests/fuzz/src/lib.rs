//! The decoders of everything that others write, each as a function of any bytes. A decoder panics on a defect: the
//! service failed inside, accepted what is invalid, or did not read back what was written.
//!
//! `all.rs` replays the corpus and some random changes of it; `guided.rs` searches for inputs that reach new code.

mod contracts;
mod images;
mod request;
mod requests;
mod services;
mod stored;
mod urls;

/// A decoder.
pub struct Decoder {
    /// Its name, and that of the folder of its corpus.
    pub name: &'static str,
    /// Decodes the bytes.
    pub run: fn(&[u8]),
}

/// All decoders.
pub const DECODERS: [Decoder; 10] = [
    Decoder {
        name: "query",
        run: requests::query,
    },
    Decoder {
        name: "path",
        run: requests::path,
    },
    Decoder {
        name: "header",
        run: requests::header,
    },
    Decoder {
        name: "body",
        run: requests::body,
    },
    Decoder {
        name: "credential",
        run: requests::credential,
    },
    Decoder {
        name: "mcp",
        run: requests::mcp,
    },
    Decoder {
        name: "url",
        run: urls::webhook,
    },
    Decoder {
        name: "backup",
        run: stored::backup,
    },
    Decoder {
        name: "image",
        run: images::image,
    },
    Decoder {
        name: "contract",
        run: contracts::contract,
    },
];
