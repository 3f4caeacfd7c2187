//! A handler that is for the owner alone names the proof that its caller is: so it does not compile once the contract lets
//! strangers in.

use super::{model, root};
use std::fs;

/// What stands between this handler's head and the next one.
fn handler<'s>(source: &'s str, head: &str) -> Option<&'s str> {
    let (_, from_it) = source.split_once(head)?;
    from_it.split("\nimpl").next()
}

/// `update_bounty` as the trait that the contract makes of it.
fn in_camel_case(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(capital).collect()
}

#[test]
fn every_handler_for_the_owner_alone_names_its_proof() {
    let files = fs::read_dir(root().join("server/src/handlers")).expect("the handlers");
    let read = |file: fs::DirEntry| fs::read_to_string(file.path()).expect("text");
    let source: String = files.map(|file| read(file.expect("a file"))).collect();
    let (mut seen, mut without) = (0, Vec::new());
    for surface in &model().surfaces {
        for operation in surface
            .operations
            .iter()
            .filter(|operation| !operation.owned.is_empty())
        {
            seen += 1;
            let name = format!("{}::{}", surface.name, in_camel_case(&operation.name));
            let handler = handler(&source, &format!("> {name} for Hitode"));
            let names =
                |record: &String| handler.is_some_and(|code| code.contains(&format!(": Owned<{record}> = request.")));
            if !operation.owned.iter().all(names) {
                without.push(name);
            }
        }
    }
    assert!(seen > 0 && without.is_empty(), "no proof is named in {without:?}");
}
