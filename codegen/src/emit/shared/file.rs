//! A file of generated code: formatted and headed.

use proc_macro2::TokenStream;
use std::borrow::Cow;

/// The code as a person would write it, with a word on where it comes from.
pub(crate) fn formatted(source: &str, code: TokenStream) -> String {
    let tree: syn::File = syn::parse2(code).expect("emitters write Rust");
    let mut text = format!("// Generated from {source} by codegen; edit that file, not this one.\n\n");
    for line in prettyplease::unparse(&tree).lines() {
        text.push_str(&spaced(line));
        text.push('\n');
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
