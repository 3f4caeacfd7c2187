//! The steps of a reader of the tutorial.

/// The heading of the tutorial.
const HEADING: &str = "\n## From an empty folder to a server\n";

#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    /// Writes a file. Its name is on a line of its own above the text.
    File { path: String, text: String },
    /// Applies a patch: a block of `diff`.
    Patch(String),
    /// Runs the line after the `$` of a `console` block; the expected output follows it.
    Command { line: String, prints: String },
}

/// The steps of the tutorial in a README.
#[track_caller]
pub(crate) fn steps(readme: &str) -> Vec<Step> {
    let (_, tutorial) = readme.split_once(HEADING).expect("the tutorial has its heading");
    let tutorial = tutorial.split("\n## ").next().unwrap_or_default();
    let mut lines = tutorial.lines();
    let mut above = "";
    let mut steps = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            match language {
                "console" => steps.extend(commands(&block)),
                "diff" => steps.push(Step::Patch(text(&block))),
                _ => steps.push(Step::File {
                    path: name(above),
                    text: text(&block),
                }),
            }
        } else if !line.is_empty() {
            above = line;
        }
    }
    steps
}

#[track_caller]
fn name(line: &str) -> String {
    let name = line.strip_prefix('`').and_then(|line| line.strip_suffix('`'));
    let name = name.unwrap_or_else(|| panic!("a file's name stands above it, not {line:?}"));
    name.to_owned()
}

fn text(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

fn commands(block: &[&str]) -> Vec<Step> {
    let starts = (0..block.len()).filter(|&place| block[place].starts_with("$ "));
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([block.len()]);
    let command = |(&start, end): (&usize, usize)| Step::Command {
        line: block[start][2..].to_owned(),
        prints: text(&block[start + 1..end]),
    };
    starts.iter().zip(ends).map(command).collect()
}

#[test]
fn files_patches_and_commands_are_read_in_their_order() {
    let readme = "# x\n```yaml\nno\n```\n## From an empty folder to a server\nWrite\n\n`a/b`\n\n```rust\none\n\ntwo\n```\n\
                  ```diff\n+three\n```\n```console\n$ say nothing\n$ say 4\n4\n```\n## Behind\n```diff\n-no\n```\n";
    let [one, four] = [("say nothing", ""), ("say 4", "4\n")].map(|(line, prints)| Step::Command {
        line: line.to_owned(),
        prints: prints.to_owned(),
    });
    let file = Step::File {
        path: "a/b".to_owned(),
        text: "one\n\ntwo\n".to_owned(),
    };
    assert_eq!(steps(readme), [file, Step::Patch("+three\n".to_owned()), one, four]);
}
