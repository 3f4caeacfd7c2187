//! The viewer of operations, third-party software: `viewer/README.md`.

use super::{SCRIPT, STYLE};
use crate::documents::file::{DOCS, File, FileKind};
use flate2::read::GzDecoder;
use std::io::Read;
use std::sync::LazyLock;

pub(super) const NAME: &str = "Swagger UI";
pub(super) const VERSION: &str = "5.35.0";

static CODE: LazyLock<Vec<u8>> = LazyLock::new(|| inflate(include_bytes!("viewer/swagger-ui-bundle.js.gz")));
static LOOKS: LazyLock<Vec<u8>> = LazyLock::new(|| inflate(include_bytes!("viewer/swagger-ui.css.gz")));
/// Its licence, its notice, and the licences of its bundled dependencies.
const LICENCES: [&str; 3] = [
    include_str!("viewer/LICENSE"),
    include_str!("viewer/NOTICE"),
    include_str!("viewer/swagger-ui-bundle.js.LICENSE.txt"),
];

fn inflate(gzip: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = GzDecoder::new(gzip).read_to_end(&mut bytes);
    read.expect("the file is sound");
    bytes
}

/// The files of the viewer that are served.
pub(super) fn files() -> Vec<File> {
    let licences = LICENCES.join("\n\n").into_bytes();
    vec![
        File::new(script(), SCRIPT, FileKind::Part, CODE.as_slice()),
        File::new(style(), STYLE, FileKind::Part, LOOKS.as_slice()),
        File::new(licence(), "text/plain; charset=utf-8", FileKind::Part, licences),
    ]
}

pub(super) fn script() -> String {
    format!("{DOCS}/viewer-{VERSION}.js")
}

pub(super) fn style() -> String {
    format!("{DOCS}/viewer-{VERSION}.css")
}

/// A style sheet that loads the viewer's as a layer, so that each rule of the page overrides it.
pub(super) fn layer() -> String {
    format!("@import url(\"viewer-{VERSION}.css\") layer(viewer);\n")
}

pub(super) fn licence() -> String {
    format!("{DOCS}/viewer-{VERSION}-licence.txt")
}
