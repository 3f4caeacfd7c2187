//! Texts of a contract in diagnostics.

/// The beginning of a text.
pub(crate) fn clipped(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown.replace('\n', " ")
}
