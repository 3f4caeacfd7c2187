//! Tags of languages (BCP 47), as far as `texts` of a contract use them: a language of two letters, then a script and a
//! region if they matter.

/// The languages of ISO 639-1.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz \
    ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka \
    kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr \
    nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk \
    tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// Whether a text is the tag of a language: `ja`, `pt-BR`, `zh-Hant`, `zh-Hant-TW`.
pub(crate) fn is_tag(text: &str) -> bool {
    let mut parts = text.split('-').peekable();
    let is_language = parts.next().is_some_and(|part| known().any(|known| known == part));
    let is_script = |part: &&str| {
        let mut letters = part.chars();
        part.len() == 4
            && letters.next().is_some_and(|c| c.is_ascii_uppercase())
            && letters.all(|c| c.is_ascii_lowercase())
    };
    let is_region = |part: &&str| part.len() == 2 && part.chars().all(|c| c.is_ascii_uppercase());
    parts.next_if(is_script);
    parts.next_if(is_region);
    is_language && parts.next().is_none()
}

/// The languages that a tag can begin with.
pub(crate) fn known() -> impl Iterator<Item = &'static str> {
    LANGUAGES.split_whitespace()
}

#[cfg(test)]
mod tests {
    use super::is_tag;

    #[test]
    fn a_tag_is_a_language_with_a_script_and_a_region() {
        for tag in ["ja", "en", "pt-BR", "zh-Hant", "zh-Hant-TW"] {
            assert!(is_tag(tag), "{tag}");
        }
        for tag in [
            "",
            "jp",
            "JA",
            "japanese",
            "pt_BR",
            "pt-br",
            "zh-hant",
            "zh-TW-Hant",
            "ja-",
            "ja-JP-x",
        ] {
            assert!(!is_tag(tag), "{tag}");
        }
    }
}
