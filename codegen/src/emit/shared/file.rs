//! A file of generated code: formatted and headed.

use proc_macro2::TokenStream;
use std::borrow::Cow;

/// The code as a person would write it, with a word on where it comes from.
pub(crate) fn formatted(source: &str, code: TokenStream) -> String {
    let tree: syn::File = syn::parse2(code).expect("emitters write Rust");
    let mut text = format!("// Generated from {source} by codegen; edit that file, not this one.\n\n");
    let code = prettyplease::unparse(&tree);
    let mut before = "";
    for line in code.lines() {
        if is_apart(before, line) {
            text.push('\n');
        }
        text.push_str(&spaced(line));
        text.push('\n');
        before = line;
    }
    text
}

/// `///text`, as doc attributes come out, with the blank that a person would write.
fn spaced(line: &str) -> Cow<'_, str> {
    let code = line.trim_start();
    match code.strip_prefix("///") {
        Some(text) if !text.is_empty() && !text.starts_with([' ', '/']) => {
            let indent = &line[..line.len() - code.len()];
            format!("{indent}/// {text}").into()
        }
        _ => line.into(),
    }
}

/// Whether a person would leave a line between these two: behind an item, and before the next one.
fn is_apart(before: &str, line: &str) -> bool {
    let (before, line) = (before.trim_start(), line.trim_start());
    let ends = before == "}" || (before.ends_with(';') && !is_import(line));
    ends && ITEMS.iter().any(|start| line.starts_with(start)) && !(is_import(before) && is_import(line))
}

fn is_import(line: &str) -> bool {
    line.starts_with("use ") || line.starts_with("pub use ")
}

/// How items begin, and what stands before them.
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
