//! The console: a page for the operator of the service, at `/console/`. It reads the OpenAPI document, and so fits every contract.

use super::{Source, files_of};
use crate::documents::file::{File, When};

/// A file of the console.
macro_rules! console {
    ($($file:literal)*) => {
        [$(($file, include_str!(concat!("console/", $file)))),*]
    };
}

const NAME: &str = "console";
const FILES: [(&str, &str); 20] = console![
    "index.html" "address.js" "app.js" "client.js" "combobox.js" "console.css" "contract.js" "drawer.js" "find.js" "form.js"
    "icon.svg" "list.js" "names.js" "overview.js" "picker.js" "search.js" "state.js" "table.js" "text.js" "units.js"
];

/// Its files.
pub(crate) fn files() -> Vec<File> {
    let sources = FILES.map(|(file, text)| Source {
        path: format!("{NAME}/{file}"),
        bytes: text.as_bytes().into(),
    });
    let files = files_of(NAME, sources.into()).expect("their types are known");
    let files = files.into_iter().map(|file| file.served(When::WithConsole));
    files.collect()
}
