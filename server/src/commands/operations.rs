//! Commands that send one request of the operator. How they are called is a table; their flags, help and output follow from
//! `api.yaml`.

use std::marker::PhantomData;

use clap::builder::{BoolishValueParser, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand, value_parser};
use contract::operator::{
    create_account_key, delete_account_key, delete_human_token, erase_human, get_account, get_bounty, get_human,
    list_account_keys, list_accounts, list_bounties, list_humans, update_account, update_bounty, update_human,
};
use contract::support::description::{FieldDescription, FieldKind, OperationDescription};
use serde_json::{Map, Value, json};

use super::client::{Answer, Operation, body, some_rows};
use super::connection::Connection;
use super::error::CommandError;
use super::output::{Output, must_confirm, plain, remark};
use super::table::{Side, table};

/// A command.
#[derive(Clone, Copy)]
pub struct Declared {
    name: &'static str,
    about: &'static str,
    operation: &'static OperationDescription,
    body: Sent,
    /// What happens, if that has to be confirmed.
    warning: Option<&'static str>,
}

/// The body that a command sends.
#[derive(Clone, Copy)]
enum Sent {
    /// The members that flags give.
    Flags,
    /// One of them, which has to be given.
    Only(&'static str),
    /// This JSON.
    Fixed(&'static str),
}

/// The commands about one kind of record.
pub trait Commands {
    /// The command above them.
    const NOUN: &'static str;
    /// All of them.
    const ALL: &'static [Declared];
}

const fn command(name: &'static str, about: &'static str, operation: &'static OperationDescription) -> Declared {
    Declared {
        name,
        about,
        operation,
        body: Sent::Flags,
        warning: None,
    }
}

const fn fixed(
    name: &'static str,
    about: &'static str,
    operation: &'static OperationDescription,
    body: &'static str,
) -> Declared {
    Declared {
        body: Sent::Fixed(body),
        ..command(name, about, operation)
    }
}

const fn grave(declared: Declared, warning: &'static str) -> Declared {
    Declared {
        warning: Some(warning),
        ..declared
    }
}

const fn only(declared: Declared, member: &'static str) -> Declared {
    Declared {
        body: Sent::Only(member),
        ..declared
    }
}

/// About accounts.
#[derive(Debug)]
pub struct Accounts;

impl Commands for Accounts {
    const NOUN: &'static str = "account";
    const ALL: &'static [Declared] = &[
        command("list", "Search the accounts", &list_accounts::DESCRIPTION),
        command("show", "Show an account", &get_account::DESCRIPTION),
        only(
            command("rename", "Rename an account", &update_account::DESCRIPTION),
            "name",
        ),
        only(
            command("plan", "Change the plan of an account", &update_account::DESCRIPTION),
            "plan",
        ),
        grave(
            fixed(
                "suspend",
                "Suspend an account",
                &update_account::DESCRIPTION,
                r#"{"suspended":true}"#,
            ),
            "Requests with the keys of the account are then rejected, and its bounties are not listed.",
        ),
        fixed(
            "resume",
            "End the suspension of an account",
            &update_account::DESCRIPTION,
            r#"{"suspended":false}"#,
        ),
    ];
}

/// About API keys.
#[derive(Debug)]
pub struct Keys;

impl Commands for Keys {
    const NOUN: &'static str = "key";
    const ALL: &'static [Declared] = &[
        command(
            "list",
            "List the API keys of an account, with their last uses",
            &list_account_keys::DESCRIPTION,
        ),
        command(
            "create",
            "Create another API key for an account",
            &create_account_key::DESCRIPTION,
        ),
        grave(
            command(
                "revoke",
                "Revoke an API key, such as one that has leaked",
                &delete_account_key::DESCRIPTION,
            ),
            "Requests with the key are rejected at once.",
        ),
    ];
}

/// About workers.
#[derive(Debug)]
pub struct Workers;

impl Commands for Workers {
    const NOUN: &'static str = "worker";
    const ALL: &'static [Declared] = &[
        command(
            "list",
            "Search the workers, also suspended ones",
            &list_humans::DESCRIPTION,
        ),
        command("show", "Show the whole profile of a worker", &get_human::DESCRIPTION),
        command("edit", "Change the profile of a worker", &update_human::DESCRIPTION),
        grave(
            fixed(
                "suspend",
                "Suspend a worker",
                &update_human::DESCRIPTION,
                r#"{"suspended":true}"#,
            ),
            "Requests with the worker's token are then rejected, and no search finds the worker.",
        ),
        fixed(
            "resume",
            "End the suspension of a worker",
            &update_human::DESCRIPTION,
            r#"{"suspended":false}"#,
        ),
        grave(
            command("erase", "Erase a worker for good", &erase_human::DESCRIPTION),
            "The profile, the texts of applications and all messages of conversations are lost. This cannot be undone.",
        ),
        grave(
            command(
                "end-token",
                "End the token of a worker without a new one",
                &delete_human_token::DESCRIPTION,
            ),
            "Requests with the worker's token are rejected at once.",
        ),
    ];
}

/// About bounties.
#[derive(Debug)]
pub struct Bounties;

impl Commands for Bounties {
    const NOUN: &'static str = "bounty";
    const ALL: &'static [Declared] = &[
        command(
            "list",
            "Search all bounties, the newest first",
            &list_bounties::DESCRIPTION,
        ),
        command("show", "Show a bounty", &get_bounty::DESCRIPTION),
        grave(
            fixed(
                "cancel",
                "Cancel a bounty, and lock its status",
                &update_bounty::DESCRIPTION,
                r#"{"status":"cancelled","locked":true}"#,
            ),
            "Its owner cannot open it again, and the applicants learn of it.",
        ),
        fixed(
            "unlock",
            "Let the owner change the status again",
            &update_bounty::DESCRIPTION,
            r#"{"locked":false}"#,
        ),
        fixed(
            "hide",
            "Hide a bounty from all but its owner and its applicants",
            &update_bounty::DESCRIPTION,
            r#"{"hidden":true}"#,
        ),
        fixed(
            "unhide",
            "Show a bounty again",
            &update_bounty::DESCRIPTION,
            r#"{"hidden":false}"#,
        ),
    ];
}

/// A command that the user has chosen, with its values.
pub struct Chosen<C> {
    declared: &'static Declared,
    ids: Vec<i64>,
    query: Vec<(&'static str, String)>,
    body: Value,
    page: Option<(u64, u64)>,
    yes: bool,
    connection: Connection,
    output: Output,
    of: PhantomData<C>,
}

impl<C> std::fmt::Debug for Chosen<C> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.declared.name)
    }
}

/// `hitode key …`
#[derive(Debug, Args)]
pub struct Key {
    #[command(subcommand)]
    command: Chosen<Keys>,
}

impl Key {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        self.command.run()
    }
}

/// `hitode bounty …`
#[derive(Debug, Args)]
pub struct Bounty {
    #[command(subcommand)]
    command: Chosen<Bounties>,
}

impl Bounty {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        self.command.run()
    }
}

/// The heading of flags with values of the operation. They have no variables: one that is left set would choose other records.
pub(crate) const VALUES: &str = "Values";

/// Rows that a list shows if no number is given.
const ROWS: &str = "100";

impl Declared {
    fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// The members of the body that flags give.
    fn members(&self) -> impl Iterator<Item = &'static FieldDescription> {
        let sent = self.body;
        self.operation.body.iter().filter(move |member| match sent {
            Sent::Flags => true,
            Sent::Only(only) => member.name == only,
            Sent::Fixed(_) => false,
        })
    }

    fn command(&self, noun: &str) -> Command {
        let operation = self.operation;
        let example = match operation.ids {
            [] => String::new(),
            ids => " 7".repeat(ids.len()),
        };
        let mut command = Command::new(self.name);
        for id in operation.ids {
            let name = id.to_uppercase();
            let parser = value_parser!(i64).range(1..);
            command = command.arg(
                Arg::new(*id)
                    .value_name(name)
                    .required(true)
                    .value_parser(parser)
                    .help(format!("The id of the {}", named_by(operation, id, noun))),
            );
        }
        for field in operation.query {
            command = command.arg(flag(field, field.required));
        }
        let must = matches!(self.body, Sent::Only(_));
        for field in self.members() {
            command = command.arg(flag(field, must || field.required));
        }
        if operation.pages.is_some() {
            let number = |name: &'static str, default: &'static str, help: &'static str| {
                let parser = value_parser!(u64);
                Arg::new(name)
                    .long(name)
                    .value_name("N")
                    .default_value(default)
                    .value_parser(parser)
                    .help_heading(VALUES)
                    .help(help)
            };
            command = command.arg(number("rows", ROWS, "How many to show")).arg(number(
                "skip",
                "0",
                "How many to leave out before them",
            ));
        }
        if self.warning.is_some() {
            let yes = Arg::new("yes").long("yes").env("HITODE_YES").action(ArgAction::SetTrue);
            let yes = yes.value_parser(BoolishValueParser::new());
            command = command.arg(yes.help("Do it without a confirmation, for scripts"));
        }
        let flags = self
            .members()
            .find(|_| must)
            .map(|field| format!(" --{} VALUE", spelled(field.name)));
        let examples = format!(
            "EXAMPLES\n  hitode {noun} {}{example}{}\n\nEnvironment: HITODE_OPERATOR_TOKEN holds the operator's token",
            self.name,
            flags.unwrap_or_default()
        );
        let command = Output::augment_args(Connection::augment_args(command));
        // Flattened flags bring a description of their own.
        command.about(self.about).after_help(examples)
    }
}

/// What a path names by this id: of `/accounts/:id/keys/:key_id`, `id` is of the account. The only id is of the noun of the command.
fn named_by<'n>(operation: &'n OperationDescription, id: &str, noun: &'n str) -> &'n str {
    let segments: Vec<&str> = operation.path.split('/').collect();
    let place = segments
        .iter()
        .position(|segment| segment.strip_prefix(':') == Some(id));
    match (operation.ids, place) {
        ([_, _, ..], Some(place @ 1..)) => segments[place - 1].trim_end_matches('s'),
        _ => noun,
    }
}

/// `has_token` as a flag: `has-token`.
fn spelled(name: &'static str) -> String {
    name.replace('_', "-")
}

fn flag(field: &FieldDescription, required: bool) -> Arg {
    let arg = Arg::new(field.name)
        .long(spelled(field.name))
        .required(required)
        .help_heading(VALUES);
    let first = field.doc.split(". ").next().unwrap_or_default();
    let arg = arg.help(first.trim_end_matches('.').to_owned());
    match field.kind {
        FieldKind::Text => arg.value_name("TEXT"),
        FieldKind::Number => arg
            .value_name("NUMBER")
            .allow_negative_numbers(true)
            .value_parser(number),
        FieldKind::Boolean => arg
            .value_name("true|false")
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_parser(PossibleValuesParser::new(["true", "false"])),
        FieldKind::Word(words) => arg.value_name("WORD").value_parser(PossibleValuesParser::new(words)),
        FieldKind::Json => arg.value_name("JSON").value_parser(from_json),
    }
}

fn number(text: &str) -> Result<String, String> {
    let value: Result<serde_json::Number, _> = serde_json::from_str(text);
    value
        .map(|_| text.to_owned())
        .map_err(|_| "expected a number, such as 45 or 4.8".to_owned())
}

fn from_json(text: &str) -> Result<String, String> {
    let value: Result<Value, _> = serde_json::from_str(text);
    value
        .map(|_| text.to_owned())
        .map_err(|error| format!("expected JSON: {error}"))
}

/// The value of a member as JSON.
fn value(field: &FieldDescription, text: &str) -> Value {
    match field.kind {
        FieldKind::Text | FieldKind::Word(_) => Value::from(text),
        FieldKind::Number | FieldKind::Boolean | FieldKind::Json => serde_json::from_str(text).unwrap_or_default(),
    }
}

impl<C: Commands> Subcommand for Chosen<C> {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(C::ALL.iter().map(|one| one.command(C::NOUN)))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        C::ALL.iter().any(|one| one.is(name))
    }
}

impl<C: Commands> FromArgMatches for Chosen<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, given) = matches.subcommand().expect("clap asks for a command");
        let declared = C::ALL
            .iter()
            .find(|one| one.is(name))
            .expect("clap has these commands only");
        let text = |name: &str| given.get_one::<String>(name).cloned();
        let operation = declared.operation;
        let members = declared.members();
        let members = members.filter_map(|field| Some((field.name.to_owned(), value(field, &text(field.name)?))));
        let body = match declared.body {
            Sent::Fixed(body) => serde_json::from_str(body).expect("it is JSON"),
            _ => Value::Object(members.collect::<Map<_, _>>()),
        };
        let count = |name| given.get_one::<u64>(name).copied().unwrap_or_default();
        let query = operation.query.iter().map(|field| field.name);
        Ok(Self {
            declared,
            ids: operation
                .ids
                .iter()
                .filter_map(|id| given.get_one(id).copied())
                .collect(),
            query: query.filter_map(|name| Some((name, text(name)?))).collect(),
            body,
            page: operation.pages.map(|_| (count("rows"), count("skip"))),
            yes: declared.warning.is_some() && given.get_flag("yes"),
            connection: Connection::from_arg_matches(given)?,
            output: Output::from_arg_matches(given)?,
            of: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<C> Chosen<C> {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let described = self.declared.operation;
        let client = self.connection.client()?;
        if let Some(warning) = self.declared.warning.filter(|_| !self.yes) {
            must_confirm(
                &format!("{warning} Continue? [y/N] "),
                &format!("pass --yes to do it without a confirmation: {warning} Nothing was changed."),
                "nothing was changed",
            )?;
        }
        let ids = self.ids.iter();
        let operation = ids.fold(Operation::new(described.method, described.path), |one, id| one.on(*id));
        let operation = self
            .query
            .iter()
            .fold(operation, |one, (name, value)| one.with(name, value));
        let sent = match described.body {
            [] => Vec::new(),
            _ => body(&self.body),
        };
        if let Some(((size, offset), (rows, skip))) = described.pages.zip(self.page) {
            let call = |page: &Operation| client.operator(page, Vec::new());
            let (rows, total) = some_rows(&operation, (size, offset), (rows, skip), call)?;
            return self.print_list(&rows, total);
        }
        let answer = client
            .operator(&operation, sent)
            .map_err(|error| match described.method {
                "GET" => error,
                _ => error.if_outcome_unknown("it may have taken effect nevertheless: look before you do it again"),
            })?;
        match &answer.content {
            Value::Array(rows) => self.print_list(rows, None),
            _ => self.print_record(&answer),
        }
    }

    fn print_list(&self, rows: &[Value], total: Option<u64>) -> Result<(), CommandError> {
        let shown = self.declared.operation.shown;
        let is_number = |name: &str| rows.iter().all(|row| row[name].is_number()) && !rows.is_empty();
        let headings: Vec<(String, Side)> = shown
            .iter()
            .map(|name| {
                let side = if is_number(name) { Side::Right } else { Side::Left };
                (name.to_uppercase().replace('_', " "), side)
            })
            .collect();
        self.output.print(&json!(rows), |_| {
            let headings: Vec<(&str, Side)> = headings.iter().map(|(name, side)| (name.as_str(), *side)).collect();
            let cells = |row: &Value| shown.iter().map(|name| plain(&row[*name])).collect();
            table(&headings, &rows.iter().map(cells).collect::<Vec<_>>())
        })?;
        if rows.is_empty() && !self.output.json {
            remark("None was found.");
        }
        let (_, skip) = self.page.unwrap_or_default();
        let until = skip + rows.len() as u64;
        if let Some(total) = total.filter(|total| *total > until && !self.output.json) {
            remark(&format!("{until} of {total} are shown; the next ones: --skip {until}"));
        }
        Ok(())
    }

    fn print_record(&self, answer: &Answer) -> Result<(), CommandError> {
        let message = answer.message.clone().unwrap_or_default();
        let document = match &answer.content {
            Value::Null => json!({ "message": message }),
            content => content.clone(),
        };
        self.output.print(&document, |document| {
            let shown = self.declared.operation.shown;
            let width = shown.iter().map(|name| name.len()).max().unwrap_or_default();
            let lines = shown.iter().map(|name| {
                let text = plain(&document[*name]);
                format!("{name:width$}  {text}").trim_end().to_owned()
            });
            let lines: Vec<String> = lines.filter(|_| !answer.content.is_null()).collect();
            match message.is_empty() {
                true => lines.join("\n"),
                false => [vec![message.clone()], lines].concat().join("\n"),
            }
        })
    }
}
