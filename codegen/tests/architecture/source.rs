//! The sources of a crate as tokens: which modules a file names, and how long its functions are.

use proc_macro2::{Delimiter, Group, LineColumn, TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};

/// A file of the crate.
pub(super) struct Source {
    /// The path of its module: `["emit", "shared", "names"]`.
    pub(super) module: Vec<String>,
    pub(super) tokens: TokenStream,
}

/// A function with its lines, without those inside `quote!`.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) lines: usize,
}

/// Every file below the crate's folder `src`, which is `root`.
pub(super) fn sources(root: &Path) -> Vec<Source> {
    files(root).iter().map(|file| source(root, file)).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

fn source(root: &Path, file: &Path) -> Source {
    let within = file.strip_prefix(root).expect("it lies there").with_extension("");
    let mut module: Vec<String> = within.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    let text = fs::read_to_string(file).expect("sources can be read");
    Source {
        module,
        tokens: text.parse().expect("sources are Rust"),
    }
}

impl Source {
    /// `emit::shared::names`
    pub(super) fn name(&self) -> String {
        self.module.join("::")
    }

    /// The paths into this crate that the file names, from the crate's root: `model::Field`.
    pub(super) fn named(&self) -> Vec<String> {
        let mut out = Vec::new();
        paths(self.tokens.clone(), &mut |path| {
            // As in `pub(crate)`.
            let names_nothing = path.iter().all(|part| part == "crate" || part == "super");
            let resolved = match path[0].as_str() {
                _ if names_nothing => None,
                "crate" => Some(path[1..].to_vec()),
                "super" => Some(self.above(path)),
                _ => None,
            };
            out.extend(resolved.map(|path| path.join("::")));
        });
        out
    }

    fn above(&self, path: &[String]) -> Vec<String> {
        let levels = path.iter().take_while(|part| *part == "super").count();
        let kept = &self.module[..self.module.len() - levels];
        [kept, &path[levels..]].concat()
    }

    /// The other crates that the file imports.
    pub(super) fn crates(&self) -> Vec<String> {
        let mut out = Vec::new();
        paths(self.tokens.clone(), &mut |path| {
            if path[0] == "use" && !["crate", "super", "self"].contains(&path[1].as_str()) {
                out.push(path[1].clone());
            }
        });
        out
    }

    pub(super) fn functions(&self) -> Vec<Function> {
        let mut out = Vec::new();
        functions(self.tokens.clone(), &mut out);
        out
    }
}

/// Calls `see` for each path that begins with `crate` or `super`, and for each import with `use` before it. The content
/// of `quote!` belongs to another program and is skipped, and so are tests.
fn paths(tokens: TokenStream, see: &mut dyn FnMut(&[String])) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(word) if word == "use" => {
                let end = tokens[at..]
                    .iter()
                    .position(is_semicolon)
                    .map_or(tokens.len(), |end| at + end);
                tree(&tokens[at + 1..end], &["use".to_owned()], &mut |path| {
                    see(path);
                    see(&path[1..]);
                });
                at = end;
            }
            TokenTree::Ident(word) if word == "crate" || word == "super" => {
                let end = tokens[at..].iter().position(|token| !is_of_path(token));
                let end = end.map_or(tokens.len(), |end| at + end);
                tree(&tokens[at..end], &[], see);
                at = end - 1;
            }
            TokenTree::Group(group) if !is_quoted(&tokens[..at]) && !is_tests(&tokens[..at]) => {
                paths(group.stream(), see)
            }
            _ => {}
        }
        at += 1;
    }
}

/// The paths of an import: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn tree(tokens: &[TokenTree], before: &[String], see: &mut dyn FnMut(&[String])) {
    let mut path = before.to_vec();
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == "as" => break,
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Punct(mark) if mark.as_char() == '*' => path.push("*".to_owned()),
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let items = inner.split(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ','));
                items
                    .filter(|item| !item.is_empty())
                    .for_each(|item| tree(item, &path, see));
                return;
            }
            _ => {}
        }
    }
    if path.len() > before.len() {
        see(&path);
    }
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';')
}

fn is_of_path(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_)) || matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':')
}

/// Whether the next token is the content of a module of tests.
fn is_tests(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Ident(word), TokenTree::Ident(name)] if word == "mod" && name == "tests")
}

/// Whether the next token is the content of a `quote!`.
fn is_quoted(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Ident(word), TokenTree::Punct(mark)] = before else {
        return false;
    };
    word == "quote" && mark.as_char() == '!'
}

fn functions(tokens: TokenStream, out: &mut Vec<Function>) {
    let mut named: Option<(String, LineColumn)> = None;
    let mut before: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match (&token, before.last()) {
            (TokenTree::Ident(name), Some(TokenTree::Ident(word))) if word == "fn" => {
                named = Some((name.to_string(), name.span().start()));
            }
            (TokenTree::Punct(mark), _) if mark.as_char() == ';' => named = None,
            (TokenTree::Group(group), _) if !is_quoted(&before) => {
                if group.delimiter() == Delimiter::Brace
                    && let Some((name, start)) = named.take()
                {
                    let lines = group.span_close().end().line - start.line + 1 - quoted_lines(group.stream());
                    out.push(Function { name, lines });
                }
                functions(group.stream(), out);
            }
            _ => {}
        }
        before.push(token);
    }
}

fn quoted_lines(tokens: TokenStream) -> usize {
    let mut before: Vec<TokenTree> = Vec::new();
    let mut lines = 0;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            lines += if is_quoted(&before) {
                inside(group)
            } else {
                quoted_lines(group.stream())
            };
        }
        before.push(token);
    }
    lines
}

/// The number of lines between the brackets.
fn inside(group: &Group) -> usize {
    let lines = group.span_close().end().line - group.span_open().start().line;
    lines.saturating_sub(1)
}

#[test]
fn imports_and_paths_are_found_and_quoted_ones_are_not() {
    let source = Source {
        module: ["emit", "values"].map(str::to_owned).to_vec(),
        tokens: "use crate::model::{Field, a::B as C}; use quote::quote; use super::shared::names; use super::*;
            pub(crate) fn f() -> crate::span::Span { quote! { crate::read::x(); } }"
            .parse()
            .expect("it is Rust"),
    };
    let expected = [
        "model::Field",
        "model::a::B",
        "emit::shared::names",
        "emit::*",
        "span::Span",
    ];
    assert_eq!(source.named(), expected);
    assert_eq!(source.crates(), ["quote"]);
}

#[test]
fn lines_of_a_function_are_counted_without_its_quotes() {
    let text = "fn a() {\n  let x = 1;\n  quote! {\n  1\n  2\n  }\n}\ntrait T { fn b(); }\nfn c() { fn d() {\n} }";
    let mut out = Vec::new();
    functions(text.parse().expect("it is Rust"), &mut out);
    let counted: Vec<(&str, usize)> = out.iter().map(|one| (one.name.as_str(), one.lines)).collect();
    assert_eq!(counted, [("a", 5), ("c", 2), ("d", 2)]);
}
