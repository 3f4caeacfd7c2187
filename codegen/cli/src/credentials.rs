//! Secrets of credentials on the command line: `NAME=VALUE`.

use codegen::{Model, nearest};

/// The names and the secrets of credentials that no operation creates.
///
/// # Errors
/// One line about the first mistake.
pub(crate) fn credentials(model: &Model, written: &[String]) -> Result<Vec<(String, String)>, String> {
    written.iter().map(|written| credential(model, written)).collect()
}

fn credential(model: &Model, written: &str) -> Result<(String, String), String> {
    let Some((name, secret)) = written.split_once('=') else {
        return Err(format!("--credential takes NAME=VALUE, not `{written}`"));
    };
    let Some(known) = model.credentials.iter().find(|known| known.name == name) else {
        let names: Vec<&str> = model.credentials.iter().map(|known| known.name.as_str()).collect();
        return Err(match nearest::nearest(name, names.iter().copied()) {
            Some(meant) => format!("there is no credential `{name}`, did you mean `{meant}`?"),
            None => format!("there is no credential `{name}`: known ones are {}", names.join(", ")),
        });
    };
    if let Some(caller) = known.caller.as_ref().filter(|_| mock::is_created(model, name)) {
        let resource = &caller.resource;
        return Err(format!(
            "`{name}` identifies a `{resource}`: get one from the operation that creates it"
        ));
    }
    if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(format!(
            "the value of `{name}` must have visible ASCII characters only, and at least one"
        ));
    }
    Ok((name.to_owned(), secret.to_owned()))
}
