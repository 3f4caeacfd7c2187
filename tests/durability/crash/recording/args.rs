//! Parses the arguments of a call, as strace writes them with `-y -xx`.

use std::path::PathBuf;

/// The number at the start of the arguments.
pub(super) fn descriptor(args: &str) -> u64 {
    args.split('<')
        .next()
        .and_then(|number| number.parse().ok())
        .expect("a descriptor")
}

/// The path of the descriptor at the start of the arguments; empty if there is none.
pub(super) fn path_of_descriptor(args: &str) -> PathBuf {
    let name = args.split_once('<').and_then(|(number, rest)| {
        number.parse::<u64>().ok()?;
        rest.split('>').next()
    });
    path(&bytes(name.unwrap_or_default()))
}

pub(super) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The strings among the arguments.
pub(super) fn strings(args: &str) -> Vec<Vec<u8>> {
    args.split('"').skip(1).step_by(2).map(bytes).collect()
}

/// Decodes `\x68\x74`.
fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits = hexadecimal.split("\\x").skip(1);
    digits
        .map(|digits| u8::from_str_radix(digits, 16).expect("two digits"))
        .collect()
}
