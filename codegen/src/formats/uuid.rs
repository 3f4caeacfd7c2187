//! `uuid`: a universally unique identifier.

use super::Format;

pub(super) const UUID: Format = Format {
    name: "uuid",
    doc: "A UUID of any version, `0190a6f2-7b1c-7def-8a01-23456789abcd` (RFC 9562): 32 hexadecimal digits with hyphens. Upper \
          and lower case are alike; it is stored and shown in lower case.",
    noun: "a UUID",
    notation: "`XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX`, hexadecimal; shown in lower case",
    demand: "a UUID, such as 0190a6f2-7b1c-7def-8a01-23456789abcd",
    tested: ("uuid", "a UUID"),
    codes: ("string", "format;uuid"),
    json_schema: "uuid",
    length: (36, Some(36)),
    rust: None,
    order: None,
    read: |text| is_uuid(text).then(|| text.to_ascii_lowercase()),
    values: [
        "0190a6f2-7b1c-7def-8a01-23456789abcd",
        "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "886313e1-3b8a-5372-9b90-0c9aee199e5d",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ],
    unused: [
        "00000000-0000-4000-8000-000000000000",
        "4a1fbc3c-9f35-4c1b-8f4d-0d2cde1a5f00",
        "fffffffe-0000-4000-8000-000000000000",
    ],
    edges: &[
        (
            "00000000-0000-0000-0000-000000000000",
            "00000000-0000-0000-0000-000000000000",
        ),
        (
            "3F2504E0-4F89-41D3-9A0C-0305E82C3301",
            "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        ),
        (
            "6Ba7b810-9dAd-11d1-80B4-00c04fD430c8",
            "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        ),
    ],
    others: &[
        (
            "has other characters",
            &[
                "0190a6f2-7b1c-7def-8a01-23456789abcg",
                "0190a6f2_7b1c_7def_8a01_23456789abcd",
                " 190a6f2-7b1c-7def-8a01-23456789abcd",
                "０190a6f2-7b1c-7def-8a01-23456789abcd",
            ],
        ),
        (
            "is written otherwise",
            &[
                "0190a6f27b1c7def8a0123456789abcd",
                "{0190a6f2-7b1c-7def-8a01-23456789abcd}",
                "urn:uuid:0190a6f2-7b1c-7def-8a01-23456789abcd",
                "0190a6f2-7b1c-7def-8a01-23456789abc",
                "0190a6f2-7b1c-7def-8a01-23456789abcde",
                "0190a6f27-b1c-7def-8a01-23456789abcd",
                "",
                "uuid",
            ],
        ),
    ],
};

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let is_hexadecimal = |group: &&str| group.bytes().all(|digit| digit.is_ascii_hexdigit());
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12]) && groups.iter().all(is_hexadecimal)
}
