//! Builds the tree from the events of the YAML parser.

use super::{Node, Value, characters, scalar};
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::{Span, Word};
use granit_parser::{Event, ScalarStyle, StructureStyle};

/// The part of the tree that has been read.
pub(super) struct Builder<'s, 'r> {
    source: &'s str,
    diagnostics: &'r mut Vec<Diagnostic>,
    /// The open collections, the innermost last.
    open: Vec<Open>,
    /// The end of the text that has been read.
    read: usize,
    /// The end of the last event, if that was a text without quotes.
    text: Option<usize>,
    root: Option<Node>,
}

/// A collection that is not complete.
pub(super) struct Open {
    /// Its start. In flow style: its bracket.
    pub(super) at: Span,
    pub(super) style: StructureStyle,
    items: Items,
}

enum Items {
    List(Vec<Node>),
    Map(Vec<(Word, Node)>, Waiting),
}

/// What a map expects next.
enum Waiting {
    Key,
    /// The value of this key. `None` if the key has been reported.
    Value(Option<Word>),
}

impl<'s, 'r> Builder<'s, 'r> {
    pub(super) fn new(source: &'s str, diagnostics: &'r mut Vec<Diagnostic>) -> Self {
        Builder {
            source,
            diagnostics,
            open: Vec::new(),
            read: 0,
            text: None,
            root: None,
        }
    }

    /// Whether the tree is complete.
    pub(super) fn is_done(&self) -> bool {
        self.root.is_some()
    }

    /// The open collections, the innermost last.
    pub(super) fn open(&self) -> &[Open] {
        &self.open
    }

    /// The byte after the text that has been read.
    pub(super) fn read(&self) -> usize {
        self.read
    }

    /// The tree. For an empty file: an empty value.
    pub(super) fn done(self) -> Node {
        let at = Span {
            line: 1,
            column: 1,
            ..Span::default()
        };
        self.root.unwrap_or(Node {
            at,
            head: at,
            form: Value::Null,
        })
    }

    /// Reports a second document.
    pub(super) fn second_document(&mut self, span: granit_parser::Span) {
        let message = "a contract is one document, but a second one begins here";
        let diagnostic = Diagnostic::new(Rule::Syntax, self.place(span), message);
        self.diagnostics
            .push(diagnostic.help("remove the line `---`, and keys that then occur twice"));
    }

    /// Handles the next event of the parser.
    pub(super) fn add(&mut self, event: Event<'_>, span: granit_parser::Span) {
        let at = self.place(span);
        if let Event::Comment(comment, _) = &event {
            return self.comment(comment, at);
        }
        self.read = self.read.max(at.end);
        self.text = None;
        if let Some(tag) = span.tag_span() {
            let tag = self.place(tag);
            self.reject(tag, "tags (`!name`) are not part of this language", "remove it");
        }
        match event {
            Event::Scalar(text, style, ..) => self.scalar(&text, style, at),
            Event::SequenceStart(style, ..) => self.begin(at, style, Items::List(Vec::new())),
            Event::MappingStart(style, ..) => self.begin(at, style, Items::Map(Vec::new(), Waiting::Key)),
            Event::SequenceEnd | Event::MappingEnd => self.end(at),
            Event::Anchor(..) => {
                let message = "anchors (`&name`) are not part of this language";
                self.reject(at, message, "remove it, and write the value out where it is used");
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let message = "aliases (`*name`) are not part of this language";
                let help = "write out the value that it refers to; a text that begins with `*` needs quotes";
                self.reject(at, message, help);
                self.put(at, StructureStyle::Flow, Value::Absent);
            }
            // Start and end of the file and its document.
            _ => {}
        }
    }

    /// `comment-in-text`: a comment after a text without quotes, without a space after its `#`. The author may have
    /// meant it as part of the text.
    fn comment(&mut self, comment: &str, at: Span) {
        let is_meant = comment.is_empty() || comment.starts_with(|c: char| c.is_whitespace() || matches!(c, '#' | '!'));
        let between = self.text.take().and_then(|end| self.source.get(end..at.start));
        if is_meant || !between.is_some_and(|between| between.chars().all(|c| c == ' ')) {
            return;
        }
        let message = "the text ends before this `#`: what follows is a comment";
        let diagnostic = Diagnostic::new(Rule::CommentInText, at, message);
        self.diagnostics
            .push(diagnostic.help("put the text in quotes, or begin the comment with `# `"));
    }

    fn reject(&mut self, at: Span, message: &str, help: &str) {
        self.diagnostics
            .push(Diagnostic::new(Rule::Syntax, at, message).help(help));
    }

    fn place(&self, span: granit_parser::Span) -> Span {
        place(span.start, span.end, self.source)
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, at: Span) {
        let (form, at) = match style {
            ScalarStyle::Plain => (scalar::plain(text), at),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => (Some(Value::Text(text.to_owned())), at),
            // The head of a block text is its first line.
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let lines = self.source.get(at.start..at.end).unwrap_or_default();
                let end = at.start + lines.lines().next().map_or(0, str::len);
                (Some(Value::Text(text.to_owned())), Span { end, ..at })
            }
        };
        let form = form.unwrap_or_else(|| {
            self.reject(at, "a number must be finite", "write a number such as `1000000`");
            Value::Absent
        });
        self.text = (style == ScalarStyle::Plain && matches!(form, Value::Text(_))).then_some(at.end);
        self.put(at, StructureStyle::Flow, form);
    }

    fn begin(&mut self, at: Span, style: StructureStyle, items: Items) {
        self.open.push(Open { at, style, items });
    }

    fn end(&mut self, end: Span) {
        let Some(Open { at, style, items }) = self.open.pop() else {
            return;
        };
        let (form, last) = match items {
            Items::List(items) => {
                let last = items.last().map_or(at.end, |item| item.at.end);
                (Value::List(items), last)
            }
            Items::Map(entries, _) => {
                let last = entries.last().map_or(at.end, |(_, value)| value.at.end);
                (Value::Map(entries), last)
            }
        };
        let end = match style {
            StructureStyle::Flow => end.end,
            StructureStyle::Block => last,
        };
        self.put(Span { end, ..at }, style, form);
    }

    /// Adds a node to the open collection.
    fn put(&mut self, at: Span, style: StructureStyle, form: Value) {
        let is_short = style == StructureStyle::Flow
            && at.start < at.end
            && !self.source.get(at.start..at.end).unwrap_or_default().contains('\n');
        let mut node = Node { at, head: at, form };
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match &mut open.items {
            Items::List(items) => items.push(node),
            Items::Map(entries, waiting) => match std::mem::replace(waiting, Waiting::Key) {
                Waiting::Key => *waiting = Waiting::Value(key(node, self.diagnostics)),
                Waiting::Value(None) => {}
                Waiting::Value(Some(key)) => {
                    if !is_short {
                        node.head = key.at;
                    }
                    entries.push((key, node));
                }
            },
        }
    }
}

/// The text of a key. Reports any other node.
fn key(node: Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Word> {
    match node.form {
        Value::Text(text) => return Some(Word { text, at: node.at }),
        Value::Absent => {}
        _ => {
            let diagnostic = Diagnostic::new(Rule::Syntax, node.head, "a key must be text");
            diagnostics.push(diagnostic.help("put quotes around a number, `true`, `false` or `null` that is a key"));
        }
    }
    None
}

/// A range in the source. The parser does not count the byte order mark.
pub(super) fn place(start: granit_parser::Marker, end: granit_parser::Marker, source: &str) -> Span {
    let byte = |marker: granit_parser::Marker| {
        marker
            .byte_offset()
            .map_or(0, |offset| offset + characters::mark(source))
            .min(source.len())
    };
    let (start_byte, end_byte) = (byte(start), byte(end));
    Span {
        line: start.line(),
        column: start.col() + 1,
        start: start_byte,
        end: end_byte.max(start_byte),
    }
}
