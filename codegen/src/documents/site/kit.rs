//! What the pages for people are made of: components, their style, and third-party libraries (`kit/vendor`, with its licences).

/// A file of the kit.
macro_rules! kit {
    ($($file:literal)*) => {
        [$(($file, include_bytes!(concat!("kit/", $file)).as_slice())),*]
    };
}

const FILES: [(&str, &[u8]); 7] = kit![
    "ui.css" "ui.js" "vendor/htm.js" "vendor/hooks.js" "vendor/preact.js" "vendor/signals-core.js" "vendor/signals.js"
];
const LICENCES: &[u8] = include_bytes!("kit/vendor/LICENCES");

/// The files, each with its path in the kit.
pub(super) fn files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let licences = ("vendor/licences.txt", LICENCES);
    FILES.into_iter().chain([licences])
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn third_party_files_are_those_that_were_fetched() {
        let digests: Vec<(&str, &str)> = include_str!("kit/vendor/DIGESTS")
            .lines()
            .map(|line| {
                let mut words = line.split_whitespace();
                let digest = words.next().expect("a digest");
                (words.next().expect("a file"), digest)
            })
            .collect();
        let vendored = FILES
            .iter()
            .filter_map(|(path, bytes)| Some((path.strip_prefix("vendor/")?, bytes)));
        let vendored: Vec<_> = vendored.collect();
        assert_eq!(vendored.len(), digests.len());
        for (file, bytes) in vendored {
            let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(digests.contains(&(file, digest.as_str())), "{file}: run vendor/renew");
        }
    }
}
