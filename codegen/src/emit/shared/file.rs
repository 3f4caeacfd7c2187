//! A file of generated code: formatted and headed.

use proc_macro2::TokenStream;

/// The code as a person would write it, with a word on where it comes from.
pub(crate) fn formatted(source: &str, code: TokenStream) -> String {
    let tree: syn::File = syn::parse2(code).expect("emitters write Rust");
    let mut text = format!("// Generated from {source} by codegen; edit that file, not this one.\n\n");
    let code = prettyplease::unparse(&tree);
    let mut before = "";
    for line in code.lines() {
        let bare = bare(line);
        if is_apart(before, bare) {
            text.push('\n');
        }
        match bare.strip_prefix("///") {
            Some(doc) if !doc.is_empty() && !doc.starts_with([' ', '/']) => {
                let indent = &line[..line.len() - bare.len()];
                // `///text`, as doc attributes come out, with the blank that a person would write.
                text.extend([indent, "/// ", doc]);
            }
            _ => text.push_str(line),
        }
        text.push('\n');
        before = bare;
    }
    text
}

/// The line without its indent, which is taken off in steps: this runs unoptimised in build scripts, over every line.
fn bare(mut line: &str) -> &str {
    while let Some(rest) = line.strip_prefix(INDENT) {
        line = rest;
    }
    line
}

const INDENT: &str = "    ";

/// Whether a person would leave a line between these two: behind an item, and before the next one.
fn is_apart(before: &str, line: &str) -> bool {
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
