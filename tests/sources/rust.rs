//! Rust sources as tokens, without comments and tests.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};

/// A word or a literal of a file.
pub(super) struct Code {
    pub(super) file: String,
    token: Token,
}

enum Token {
    Word(String),
    String(String),
    Number(f64),
}

impl Code {
    /// The text of a string.
    pub(super) fn string(&self) -> Option<&str> {
        if let Token::String(text) = &self.token {
            Some(text)
        } else {
            None
        }
    }

    /// A number.
    pub(super) fn number(&self) -> Option<f64> {
        if let Token::Number(number) = self.token {
            Some(number)
        } else {
            None
        }
    }

    /// A name, or the text of a string.
    pub(super) fn word(&self) -> Option<&str> {
        match &self.token {
            Token::Word(text) | Token::String(text) => Some(text),
            Token::Number(_) => None,
        }
    }

    /// The text of the token.
    pub(super) fn text(&self) -> String {
        match &self.token {
            Token::Word(text) => text.clone(),
            Token::String(text) => format!("{text:?}"),
            Token::Number(number) => number.to_string(),
        }
    }
}

/// All code under a folder, without comments and test code.
pub(super) fn code_under(folder: &Path) -> Vec<Code> {
    read(folder, &is_test_module, &mut |stream, file, out| {
        without_tests(stream, file, out)
    })
}

/// The names of all test functions under a folder, without those in folders of this name.
pub(super) fn tests_under(folder: &Path, left_out: &str) -> Vec<Code> {
    read(folder, &|path| path.ends_with(left_out), &mut only_tests)
}

fn read(
    folder: &Path,
    skips: &dyn Fn(&Path) -> bool,
    walk: &mut dyn FnMut(TokenStream, &str, &mut Vec<Code>),
) -> Vec<Code> {
    let mut out = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("the folder can be read").path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if skips(&path) {
            continue;
        }
        if path.is_dir() {
            if name != "target" {
                out.extend(read(&path, skips, walk));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).expect("sources can be read");
            let tokens = source
                .parse()
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            walk(tokens, &path.display().to_string(), &mut out);
        }
    }
    out
}

/// Whether the module around a file or a folder declares it for tests only.
fn is_test_module(path: &Path) -> bool {
    let Some(name) = path.file_stem() else { return false };
    let declarations = ["", "pub(crate) "].map(|seen| format!("#[cfg(test)]\n{seen}mod {};", name.display()));
    let holds_one = |source: String| declarations.iter().any(|one| source.contains(one));
    let declares = |module: PathBuf| fs::read_to_string(module).is_ok_and(holds_one);
    let folder = path.parent().unwrap_or(path);
    declares(folder.join("mod.rs")) || declares(folder.with_extension("rs"))
}

fn without_tests(stream: TokenStream, file: &str, out: &mut Vec<Code>) {
    let mut tokens = stream.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                let _ = tokens.next_if(|next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == '!'));
                let Some(TokenTree::Group(attribute)) = tokens.next() else {
                    continue;
                };
                let attribute = attribute.stream().to_string().replace(' ', "");
                if attribute.starts_with("cfg(test") {
                    // The item after it ends with its braces, or with a semicolon.
                    let ends = |next: &TokenTree| match next {
                        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                        TokenTree::Punct(mark) => mark.as_char() == ';',
                        _ => false,
                    };
                    tokens.by_ref().find(ends);
                }
            }
            TokenTree::Group(group) => without_tests(group.stream(), file, out),
            TokenTree::Ident(ident) => add(Token::Word(ident.to_string()), file, out),
            TokenTree::Literal(literal) => add(token_of(&literal.to_string()), file, out),
            TokenTree::Punct(_) => {}
        }
    }
}

fn only_tests(stream: TokenStream, file: &str, out: &mut Vec<Code>) {
    let mut tokens = stream.into_iter().peekable();
    let mut is_test = false;
    while let Some(token) = tokens.next() {
        match (&token, tokens.peek()) {
            (TokenTree::Punct(mark), Some(TokenTree::Group(attribute))) if mark.as_char() == '#' => {
                let attribute = attribute.stream().to_string();
                is_test |= attribute
                    .split('(')
                    .next()
                    .is_some_and(|path| path.trim().ends_with("test"));
            }
            (TokenTree::Ident(word), Some(TokenTree::Ident(name))) if word == "fn" && std::mem::take(&mut is_test) => {
                add(Token::Word(name.to_string()), file, out);
            }
            (TokenTree::Group(group), _) => only_tests(group.stream(), file, out),
            _ => {}
        }
    }
}

fn add(token: Token, file: &str, out: &mut Vec<Code>) {
    out.push(Code {
        file: file.to_owned(),
        token,
    });
}

fn token_of(literal: &str) -> Token {
    let quotes = literal.find('"').zip(literal.rfind('"'));
    if let Some((start, end)) = quotes.filter(|(start, end)| start < end) {
        let inside = &literal[start + 1..end];
        let escaped = !literal[..start].contains('r');
        let read = escaped
            .then(|| serde_json::from_str(&literal[start..=end]).ok())
            .flatten();
        return Token::String(read.unwrap_or_else(|| inside.to_owned()));
    }
    let digits = literal.replace('_', "");
    let plain = digits.trim_end_matches(|c: char| !c.is_ascii_digit());
    let number = [plain, digits.split(['u', 'i', 'f']).next().unwrap_or_default()]
        .into_iter()
        .find_map(|text| text.parse().ok());
    number.map_or_else(|| Token::Word(literal.to_owned()), Token::Number)
}

#[test]
fn comments_and_tests_are_no_code() {
    let source = r##"
        //! "one"
        /// "two"
        #[doc = "three"]
        fn four(a: u64) { five("six\"", r#"seven"#, 8_000u64, 9.5); }
        #[cfg(test)]
        mod tests { const TEN: &str = "ten"; }
        const ELEVEN: &[u8] = b"eleven"; // "twelve"
    "##;
    let mut out = Vec::new();
    without_tests(source.parse().expect("it is Rust"), "", &mut out);
    let strings: Vec<_> = out.iter().filter_map(Code::string).collect();
    assert_eq!(strings, ["six\"", "seven", "eleven"]);
    assert_eq!(out.iter().filter_map(Code::number).collect::<Vec<_>>(), [8000.0, 9.5]);
    let words: Vec<_> = out.iter().filter_map(Code::word).collect();
    assert!(words.contains(&"five") && !words.contains(&"TEN"), "{words:?}");
    let mut tests = Vec::new();
    let source =
        "#[test] fn a() {} mod b { #[tokio::test(x = 1)] async fn c() {} fn d() {} } #[test] #[ignore] fn e() {}";
    only_tests(source.parse().expect("it is Rust"), "", &mut tests);
    assert_eq!(tests.iter().filter_map(Code::word).collect::<Vec<_>>(), ["a", "c", "e"]);
}
