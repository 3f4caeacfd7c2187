//! The files of `server/deploy`, used as an operator would: load balancers in front of nodes over one PostgreSQL
//! database. Only addresses and the names of files are replaced in them.

mod balancer;
mod haproxy;
mod image;
mod nginx;
mod node;
mod systemd;

use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use test_support::process::{Launch, Service, database};

use self::balancer::{Balancer, Reply};
use self::node::SwitchedNode;

const OPERATOR: &str = "the-operator-of-the-fleet";

/// The text of a file, with these replacements, each of which must be possible.
#[track_caller]
fn shipped(name: &str, replacements: &[(&str, &str)]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name);
    let mut text = std::fs::read_to_string(path).expect(name);
    for (old, new) in replacements {
        assert!(text.contains(old), "{name} has no `{old}`");
        text = text.replace(old, new);
    }
    text
}

/// Two nodes over one database, and a third one that is not ready before the test says so.
struct Fleet {
    nodes: Vec<Service>,
    switched: SwitchedNode,
}

impl Fleet {
    fn start(name: &str, flags: &[&str]) -> Fleet {
        Fleet {
            nodes: nodes(2, name, flags),
            switched: SwitchedNode::start(),
        }
    }

    /// The addresses of all three.
    fn addresses(&self) -> Vec<String> {
        let nodes = self.nodes.iter().map(|node| node.address);
        nodes
            .chain([self.switched.address])
            .map(|one| one.to_string())
            .collect()
    }

    /// The number of the node that answered.
    #[track_caller]
    fn node_of(&self, reply: &Reply) -> usize {
        if reply.request_id == node::REQUEST_ID {
            return self.nodes.len();
        }
        let logged = |node: &Service| node.log.text().contains(&reply.request_id);
        // The answer may arrive before the line of the log.
        let logged = || self.nodes.iter().position(logged);
        balancer::eventually("a line of the log", || logged().ok_or(reply))
    }

    /// The node that gets the requests with each of these made-up keys.
    #[track_caller]
    fn nodes_of(&self, balancer: &Balancer, keys: &[String]) -> Vec<usize> {
        self.nodes_by(balancer, "X-API-Key: ", keys)
    }

    /// The same with this beginning of the header.
    #[track_caller]
    fn nodes_by(&self, balancer: &Balancer, beginning: &str, keys: &[String]) -> Vec<usize> {
        let headers: Vec<_> = keys.iter().map(|key| format!("{beginning}{key}")).collect();
        let replies = balancer.get_each("/nowhere", &headers);
        let nodes = replies.iter().map(|reply| {
            // No path of a node; the third one has no other answer.
            assert!([404, 200].contains(&reply.status), "{reply:?}");
            self.node_of(reply)
        });
        nodes.collect()
    }

    /// The key of a new account, once each node knows it.
    #[track_caller]
    fn key(&self, balancer: &Balancer) -> String {
        let operator = format!("X-Operator-Token: {OPERATOR}");
        let account = r#"{"name":"Agent","plan":"verified"}"#;
        let created = balancer.eventually(201, &["-H", &operator, "--json", account], "/operator/v1/accounts");
        let created: Value = serde_json::from_str(&created.body).expect("JSON");
        let key = created["data"]["key"].as_str().expect("a key").to_owned();
        balancer.eventually(200, &["-H", &format!("X-API-Key: {key}")], "/api/v1/account");
        key
    }
}

/// Starts this number of nodes over one new database.
fn nodes(number: usize, name: &str, flags: &[&str]) -> Vec<Service> {
    let url = database(name);
    let node = |_| {
        let launch = Launch::anywhere().variable("HITODE_DATABASE_URL", &url);
        let launch = launch.variable("HITODE_OPERATOR_TOKEN", OPERATOR);
        flags.iter().fold(launch, |launch, flag| launch.arg(flag)).start()
    };
    (0..number).map(node).collect()
}

/// Made-up keys.
fn keys() -> Vec<String> {
    (0..24).map(|number| format!("htd_{number}")).collect()
}

/// Checks that what has a credential goes to one node, and on to the other one when that node is killed.
#[track_caller]
fn check_nodes(mut fleet: Fleet, balancer: &Balancer) {
    let key = fleet.key(balancer);
    let keys = keys();
    let nodes = fleet.nodes_of(balancer, &keys);
    // Taking turns would change them.
    let again = fleet.nodes_of(balancer, &keys[1..]);
    assert_eq!(again, nodes[1..]);
    assert!(
        nodes.contains(&0) && nodes.contains(&1) && !nodes.contains(&2),
        "{nodes:?}"
    );
    assert_eq!(fleet.nodes_by(balancer, "Authorization: Bearer ", &keys), nodes);
    for path in ["/metrics", "/readyz"] {
        assert_eq!(balancer.call(&[], path).status, 404, "{path}");
    }
    assert!(balancer.call(&[], "/llms.txt").body.contains(&balancer.url("")));

    let operator = format!("X-Operator-Token: {OPERATOR}");
    let backup = balancer.call(&["-H", &operator, "-o", "/dev/null"], "/backup");
    assert_eq!(backup.status, 200);
    let agent = format!("X-API-Key: {key}");
    let wait = if super::listener::is_long() { 30 } else { 1 };
    let waited = balancer.call(&["-H", &agent], &format!("/api/v1/events?after=now&wait={wait}"));
    assert_eq!(waited.status, 200, "{waited:?}");

    // After this, nginx tries again the node that does not answer: then two of three do not.
    thread::sleep(Duration::from_millis(2_100));
    let killed = fleet.nodes.remove(0);
    killed.signal("KILL");
    let left = fleet.nodes_of(balancer, &keys);
    assert!(left.iter().all(|node| *node == 0), "{left:?}");
    let bounty = r#"{"title":"Carry on","description":"On another node.","budget":5}"#;
    let created = balancer.eventually(201, &["-H", &agent, "--json", bounty], "/api/v1/bounties");
    assert_eq!(created.status, 201);
    drop(killed);
}
