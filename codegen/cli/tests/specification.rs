//! The members that the specification of Hitode names, written down from its sections 2 and 4. Whatever else `api.yaml` gains, no
//! answer and no body of these operations gets another member.

use super::published::root;
use codegen::model::{BodyMember, Data, Kind};
use std::fs;

const HUMAN: &str = "id name headline city state hourly_rate rating is_verified skills";
const BOUNTY: &str =
    "id title description category budget location is_remote upvotes downvotes applications_count status";

/// Method, path, members of the body, members of `data` or of each of its items.
const OPERATIONS: &[(&str, &str, &str, &str)] = &[
    ("GET", "/humans", "", HUMAN),
    ("GET", "/humans/:id", "", "HUMAN bio total_reviews is_available photos"),
    ("GET", "/bounties", "", "BOUNTY poster_name"),
    (
        "POST",
        "/bounties",
        "title description budget category location is_remote deadline estimated_hours required_skills",
        "id",
    ),
    (
        "GET",
        "/bounties/:id",
        "",
        "BOUNTY required_skills deadline estimated_hours",
    ),
    ("PATCH", "/bounties/:id", "status", ""),
    (
        "GET",
        "/bounties/:id/applications",
        "",
        "id user_id name rating message status created_at",
    ),
    ("PATCH", "/bounties/:id/applications/:appId", "status", ""),
    (
        "GET",
        "/conversations",
        "",
        "id human_id human_name last_message last_message_at",
    ),
    ("POST", "/conversations", "human_id message", "id message_id"),
    ("GET", "/conversations/:id", "", "id human_name messages"),
    ("POST", "/conversations/:id/messages", "content", "id"),
    ("GET", "/keys", "", "id name key_prefix created_at last_used_at"),
    ("POST", "/keys", "name", "id key"),
    ("DELETE", "/keys/:id", "", ""),
];

#[test]
fn no_operation_of_the_specification_has_another_member() {
    let contract = fs::read_to_string(root().join("api.yaml")).expect("it is there");
    let model = codegen::compile(&contract).expect("it is valid");
    let agent = model
        .surfaces
        .iter()
        .find(|surface| surface.name == "agent")
        .expect("it is there");
    let members_of = |resource: &str, view: &str| -> Vec<String> {
        let members = model.view(resource, view).members.iter();
        members.map(|member| member.shown.clone()).collect()
    };
    for (method, path, body, data) in OPERATIONS {
        let is_it = |one: &&codegen::model::Operation| one.method.text == *method && one.route == *path;
        let operation = agent
            .operations
            .iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("{method} {path} is missing"));
        let sorted = |names: Vec<String>| {
            let mut names = names;
            names.sort();
            names
        };
        let named = |names: &str| {
            let whole = names.replace("HUMAN", HUMAN).replace("BOUNTY", BOUNTY);
            sorted(whole.split_whitespace().map(str::to_owned).collect())
        };
        // Optional members of ours, which no request of the specification has.
        let is_ours = |member: &BodyMember| {
            let place = (*path, member.field.name.as_str());
            let ours = [
                ("/conversations/:id/messages", "files"),
                ("/conversations", "bounty_id"),
            ];
            !member.required && ours.contains(&place)
        };
        let sent = model.body(operation).into_iter().flat_map(|body| &body.members);
        let sent = sent.filter(|member| !is_ours(member));
        let sent = sorted(sent.map(|member| member.field.name.clone()).collect());
        assert_eq!(sent, named(body), "{method} {path}: the body");
        let shown = match &operation.data {
            Some(Data::One { resource, view } | Data::Many { resource, view }) => members_of(resource, view),
            Some(Data::Members(members)) => members.iter().map(|member| member.name.clone()).collect(),
            Some(Data::Counts(_) | Data::Events) | None => Vec::new(),
        };
        assert_eq!(sorted(shown), named(data), "{method} {path}: data");
    }
    let conversation = model.resource("Conversation");
    let messages = conversation
        .joined
        .iter()
        .find(|field| field.name == "messages")
        .expect("it is there");
    let Kind::View(resource, view) = &messages.of.kind else {
        panic!("messages are records");
    };
    assert_eq!(
        members_of(resource, view),
        ["id", "sender_type", "content", "created_at"]
    );
    let skill = model.object("Skill").members.iter().map(|member| member.name.as_str());
    assert_eq!(skill.collect::<Vec<_>>(), ["id", "name", "category"]);
}
