//! The values that calls are made of: few, so that equal ones are frequent. Of the bad ones some are valid for some types.

/// Texts that are alike, and texts that are easily confused with others.
pub(super) const TEXTS: [&str; 26] = [
    "Tokyo",
    "tokyo",
    "ＴＯＫＹＯ",
    "東京",
    "Straße",
    "STRASSE",
    "ガ",
    "ｶﾞ",
    "é",
    "e\u{301}",
    "ﬁn",
    "FIN",
    "İ",
    "i̇",
    "A",
    "a b",
    "A  B",
    " a b ",
    "Σς",
    "σσ",
    "\"b\\c\"",
    "null",
    "👩‍👧",
    "x\u{200d}y",
    "%41+&=",
    "<b>&amp;</b>",
];
pub(super) const BAD_TEXTS: [&str; 7] = [
    "",
    " ",
    "\u{200b}",
    "a\u{0}b",
    "a\u{7f}",
    "a\u{202e}b",
    "\u{feff}\u{2060}",
];
pub(super) const NUMBERS: [&str; 18] = [
    "0", "1", "2", "5", "1.5", "49.99", "0.01", "2500", "100", "100000", "10000000", "4.5", "30", "1e2", "1.0",
    "0.125", "-0", "-1",
];
pub(super) const BAD_NUMBERS: [&str; 10] = [
    "-1",
    "-0.01",
    "0.001",
    "1e9",
    "1e400",
    "10000000.01",
    "5.01",
    "\"5\"",
    "true",
    "0",
];
pub(super) const INTEGERS: [&str; 6] = ["0", "1", "2", "3", "7", "999"];
pub(super) const BAD_INTEGERS: [&str; 7] = [
    "-1",
    "1.0",
    "1.5",
    "1e2",
    "\"1\"",
    "9007199254740992",
    "9223372036854775808",
];
pub(super) const FREE_FORMS: [&str; 5] = [
    "{}",
    r#"{"a":9007199254740993,"b":-0.0,"c":1E5,"d":18446744073709551616,"e":0.1,"f":1e-7,"g":5e-324}"#,
    r#"{"url":"https://a.example/1.jpg"}"#,
    r#"{"n":1.5,"a":[1,null,{"b":true}]}"#,
    r#"{"é":"x","w":640}"#,
];
pub(super) const BAD_FREE_FORMS: [&str; 4] = ["[]", "\"x\"", "1", r#"{"a":1,"a":2}"#];
