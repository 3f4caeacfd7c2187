//! A file of generated code: its pieces are generated and formatted separately, then joined under a header.

use crate::parallel;
use proc_macro2::TokenStream;
use quote::quote;

/// Generates the code of a piece on any thread: tokens cannot leave the thread that created them.
pub(crate) type Make<'m> = Box<dyn Fn() -> TokenStream + Sync + 'm>;

/// A piece of a file.
pub(crate) enum FilePiece<'m> {
    /// Items at the top of the file.
    Items(Make<'m>),
    /// The start of a module. Its other items are the pieces that follow.
    Opening(Make<'m>),
    /// Items of that module.
    Within(Make<'m>),
    /// The end of that module.
    Closing,
}

impl<'m> FilePiece<'m> {
    pub(crate) fn items(make: impl Fn() -> TokenStream + Sync + 'm) -> Self {
        Self::Items(Box::new(make))
    }

    pub(crate) fn opening(make: impl Fn() -> TokenStream + Sync + 'm) -> Self {
        Self::Opening(Box::new(make))
    }
}

/// The formatted code, with a header that names its source.
pub(crate) fn formatted(source: &str, pieces: &[FilePiece<'_>]) -> String {
    let mut text = format!("// Generated from {source} by codegen; edit that file, not this one.\n\n");
    for piece in parallel::map(pieces, formatted_piece) {
        let before = text.lines().next_back().unwrap_or_default();
        let first = piece.lines().next().unwrap_or_default();
        if is_apart(bare(before), bare(first)) {
            text.push('\n');
        }
        text.push_str(&piece);
    }
    text
}

fn formatted_piece(piece: &FilePiece<'_>) -> String {
    match piece {
        FilePiece::Items(make) => spaced(&printed(make())),
        FilePiece::Opening(make) => {
            let module = printed(make());
            spaced(module.strip_suffix("}\n").unwrap_or_default())
        }
        FilePiece::Within(make) => {
            // Lines break at other columns inside a module, so the items are printed in one.
            let items = make();
            let module = printed(quote!(mod around { #items }));
            let items = module.strip_prefix("mod around {\n");
            let items = items.and_then(|items| items.strip_suffix("}\n"));
            spaced(items.unwrap_or_default())
        }
        FilePiece::Closing => "}\n".to_owned(),
    }
}

fn printed(code: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(code).expect("emitters write Rust"))
}

/// Adds blank lines between items, and blanks before docs.
fn spaced(code: &str) -> String {
    let mut text = String::with_capacity(code.len() + code.len() / 8);
    let mut before = "";
    for line in code.lines() {
        let bare = bare(line);
        if is_apart(before, bare) {
            text.push('\n');
        }
        match bare.strip_prefix("///") {
            Some(doc) if !doc.is_empty() && !doc.starts_with([' ', '/']) => {
                let indent = &line[..line.len() - bare.len()];
                // Doc attributes are printed as `///text`; this adds the blank.
                text.extend([indent, "/// ", doc]);
            }
            _ => text.push_str(line),
        }
        text.push('\n');
        before = bare;
    }
    text
}

/// The line without its indent, removed in steps: this runs unoptimised in build scripts, over every line.
fn bare(mut line: &str) -> &str {
    while let Some(rest) = line.strip_prefix(INDENT) {
        line = rest;
    }
    line
}

const INDENT: &str = "    ";

/// Whether a blank line belongs between these two lines: after an item and before the next one.
fn is_apart(before: &str, line: &str) -> bool {
    let ends = before == "}" || before.ends_with("{}") || (before.ends_with(';') && !is_import(line));
    ends && ITEMS.iter().any(|start| line.starts_with(start)) && !(is_import(before) && is_import(line))
}

fn is_import(line: &str) -> bool {
    line.starts_with("use ") || line.starts_with("pub use ")
}

/// The words that begin an item or the lines before it.
const ITEMS: [&str; 13] = [
    "///",
    "#[",
    "pub ",
    "pub(",
    "impl",
    "fn ",
    "async fn ",
    "enum ",
    "struct ",
    "mod ",
    "trait ",
    "const ",
    "use ",
];
