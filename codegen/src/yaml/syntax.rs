//! Explains YAML errors: what was found, where the construct started, and what is probably missing.

use super::builder::{Builder, Open, place};
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::Span;
use granit_parser::{ErrorKind, ScanError, StructureStyle};

/// The diagnostic for an error of the parser, which stops there.
pub(super) fn diagnostic(error: &ScanError, source: &str, builder: &Builder<'_, '_>) -> Diagnostic {
    let mark = *error.marker();
    let mut at = place(mark, mark, source);
    at.end += source[at.start..]
        .chars()
        .next()
        .filter(|c| *c != '\n')
        .map_or(0, char::len_utf8);
    let trouble = Trouble {
        at,
        source,
        read: builder.read(),
        open: builder.open().last().filter(|open| open.style == StructureStyle::Flow),
    };
    let diagnostic = trouble.lookalike(trouble.diagnostic(error.kind()));
    diagnostic.note("the rest of the file has not been read")
}

/// The position at which the parser stopped, and what was read before.
struct Trouble<'a> {
    at: Span,
    source: &'a str,
    /// The end of the text that has been read.
    read: usize,
    /// The open bracket.
    open: Option<&'a Open>,
}

impl Trouble<'_> {
    fn diagnostic(&self, kind: &ErrorKind) -> Diagnostic {
        use ErrorKind as K;
        match kind {
            K::TabNotAllowed | K::TabInBlockIndentation | K::TabInIndentation | K::TabInPlainScalar => self.tab(),
            K::UnclosedQuotedScalar | K::InvalidQuotedScalarIndent | K::DocumentIndicatorInQuotedScalar => {
                self.open_quote()
            }
            K::InvalidTrailingSingleQuotedScalar => self.behind_quote("inside single quotes write `'` as `''`"),
            K::InvalidTrailingDoubleQuotedScalar => self.behind_quote("inside double quotes write `\"` as `\\\"`"),
            K::MappingValueNotAllowed => self.second_colon(),
            K::SimpleKeyExpected => self.no_colon(self.at),
            K::ExpectedBlockMappingKey if !self.is_first() => {
                let help = "end the line here, or put the whole value in quotes";
                self.said("unexpected text after the value").help(help)
            }
            K::ExpectedBlockMappingKey | K::ExpectedBlockSequenceEntry | K::InvalidIndentation => self.misaligned(),
            K::UnexpectedCharacter { character } => self
                .said(format!("a text that begins with `{character}` needs quotes"))
                .help("write it as `\"...\"`"),
            K::MissingAnchorOrAliasName => self
                .said("a text that begins with `*` or `&` needs quotes")
                .help("write it as `\"...\"`"),
            K::UnknownQuotedScalarEscape => self
                .said("unknown escape sequence")
                .help("write `\\` as `\\\\` in double quotes, or use single quotes, which have no escapes"),
            K::MismatchedFlowCollectionEnd { open, close } => {
                let closing = if *open == '[' { ']' } else { '}' };
                self.said(format!("`{open}` is closed by `{close}`")).help(format!(
                    "close it with `{closing}`, or first close what was opened after it"
                ))
            }
            K::MisplacedFlowCollectionEnd => self
                .said("this bracket closes nothing: no bracket is open")
                .help("remove it, or put the text in quotes if the bracket is part of it"),
            K::RecursionLimitExceeded => self.said("brackets or indentation are nested too deeply"),
            K::DirectiveDisallowed => self.said("directives (`%NAME`) are not part of this language"),
            K::UnclosedFlowCollection { open } => self
                .said(format!("this `{open}` is never closed"))
                .help("close it after its last entry"),
            other => match self.open {
                Some(open) => self.open_bracket(open),
                None => self.said(format!("this is not valid YAML: {other}")),
            },
        }
    }

    /// Adds help if the line contains a lookalike character, which explains more than the error that it causes.
    fn lookalike(&self, diagnostic: Diagnostic) -> Diagnostic {
        let (line, start) = self.line(diagnostic.at.start);
        match super::characters::lookalike(line) {
            Some((before, meant)) => diagnostic
                .related(
                    span(start + before, self.source),
                    "this is not the character that it looks like",
                )
                .help(meant),
            None => diagnostic,
        }
    }

    fn said(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Rule::Syntax, self.at, message)
    }

    /// The text is not allowed inside the open bracket.
    fn open_bracket(&self, open: &Open) -> Diagnostic {
        let bracket = one(open.at, self.source);
        let (opening, closing) = match &self.source[bracket.start..bracket.end] {
            "[" => ("[", "]"),
            _ => ("{", "}"),
        };
        let diagnostic = self.said(format!("expected `,` or `{closing}` before this"));
        let (line, start) = self.line(bracket.start);
        let inside = &line[bracket.start - start..];
        if let Some(before) = inside.find(" #").filter(|_| bracket.line < self.at.line) {
            let comment = span(bracket.start + before + 1, self.source);
            let diagnostic = Diagnostic::new(
                Rule::Syntax,
                bracket,
                format!("a comment begins before this `{opening}` is closed"),
            );
            let help = "put a text with ` #` in quotes";
            return diagnostic
                .related(comment, "the rest of the line is a comment")
                .help(help);
        }
        if bracket.line == self.at.line {
            let help = "entries are separated by `, `; a text with `,`, `: ` or brackets needs quotes";
            return diagnostic.related(bracket, "opened here").help(help);
        }
        let help = format!("close it with `{closing}` after its last entry");
        diagnostic
            .related(bracket, format!("this `{opening}` is still open"))
            .help(help)
    }

    fn open_quote(&self) -> Diagnostic {
        let Some(quote) = self.opening_quote() else {
            return self.said("a quoted text is not closed, or continues on a line that is not indented");
        };
        let mark = &self.source[quote.start..quote.end];
        Diagnostic::new(
            Rule::Syntax,
            quote,
            format!("the text that begins with this `{mark}` is not closed on its line"),
        )
        .help(format!("write `{mark}` at its end"))
    }

    fn behind_quote(&self, escape: &str) -> Diagnostic {
        let diagnostic = self.said("unexpected text after the closing quote");
        let help = format!("{escape}; put the whole value in quotes, or nothing of it");
        match self.opening_quote() {
            Some(quote) if quote.line < self.at.line => self.open_quote(),
            Some(quote) => diagnostic.related(quote, "the text begins here").help(help),
            None => diagnostic.help(help),
        }
    }

    /// The quote that opened the text in which the parser stopped.
    fn opening_quote(&self) -> Option<Span> {
        let mut rest = self.read;
        while rest < self.at.start {
            let start = rest + self.source[rest..self.at.start].find(['"', '\'', '#'])?;
            if !self.source[start..].starts_with('#') {
                return Some(span(start, self.source));
            }
            rest = start + self.source[start..].find('\n')?;
        }
        None
    }

    fn tab(&self) -> Diagnostic {
        let start = self.source[self.at.start..]
            .find('\t')
            .map_or(self.at.start, |length| self.at.start + length);
        let line = self.source[..start].rfind('\n').map_or(0, |end| end + 1);
        let tab = self.source[line..].find('\t').map_or(start, |length| line + length);
        Diagnostic::new(Rule::Syntax, span(tab, self.source), "a tab cannot indent a line").help("indent with spaces")
    }

    /// A `:` makes a key of a text that is not one.
    fn second_colon(&self) -> Diagnostic {
        let (line, start) = self.line(self.at.start);
        let before = &line[..self.at.start - start];
        if before.contains(": ") {
            let help = "put the value in quotes, because it contains `: `";
            return self.said("a line has one key, but this is a second `:`").help(help);
        }
        let above = self.source[..start]
            .lines()
            .rev()
            .find(|line| !is_blank(line))
            .unwrap_or_default();
        let above_start =
            self.source[..start].rfind(above).unwrap_or_default() + above.len() - above.trim_start().len();
        let mut above_at = span(above_start, self.source);
        above_at.end = above_start + above.trim().len();
        if !above.contains(": ") && !above.trim_end().ends_with(':') {
            return self.no_colon(above_at);
        }
        let mut at = span(start + line.len() - line.trim_start().len(), self.source);
        at.end = self.at.start;
        Diagnostic::new(
            Rule::Syntax,
            at,
            "this line is indented as if it belonged to the value above",
        )
        .related(above_at, "this key already has a value")
        .help("indent both lines by the same number of spaces")
    }

    fn no_colon(&self, at: Span) -> Diagnostic {
        let (line, start) = self.line(at.start);
        let mut at = at;
        at.end = (start + line.trim_end().len()).max(at.start);
        let help = match line.contains(':') {
            true => "a space is needed after the colon",
            false => "a colon and a space are missing",
        };
        Diagnostic::new(Rule::Syntax, at, "expected `key: value`").help(help)
    }

    fn misaligned(&self) -> Diagnostic {
        self.said("this line is indented like no line above it")
            .help("indent all entries of a map or a list by the same number of spaces")
    }

    /// Whether only spaces precede the position in its line.
    fn is_first(&self) -> bool {
        let (line, start) = self.line(self.at.start);
        is_blank(&line[..self.at.start - start])
    }

    /// The line that contains a byte, and the start of the line.
    fn line(&self, byte: usize) -> (&str, usize) {
        let start = self.source[..byte].rfind('\n').map_or(0, |end| end + 1);
        let end = self.source[byte..]
            .find('\n')
            .map_or(self.source.len(), |length| byte + length);
        (&self.source[start..end], start)
    }
}

fn is_blank(line: &str) -> bool {
    line.trim_start().is_empty() || line.trim_start().starts_with('#')
}

/// The position of one byte.
fn span(start: usize, source: &str) -> Span {
    let before = &source[..start];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let length = source[start..].chars().next().map_or(0, char::len_utf8);
    Span {
        line: before.matches('\n').count() + 1,
        column: before[line..].trim_start_matches('\u{feff}').chars().count() + 1,
        start,
        end: start + length,
    }
}

/// The first character of a range.
fn one(at: Span, source: &str) -> Span {
    span(at.start, source)
}
