// Generated from lighthouse.yaml by codegen; edit that file, not this one.

#[allow(unused_imports)]
use conformance::*;

#[allow(unused_imports)]
use crate::world::world as world;

/// The contract.
pub(crate) static CONTRACT: Contract = Contract {
    rows: &[
        Row {
            name: "nowhere",
            step: Step::Route,
            status: 404,
            text: "nothing is here",
            headers: &[],
            at: "lighthouse.yaml:15:3",
        },
        Row {
            name: "not_so",
            step: Step::Method,
            status: 405,
            text: "use {allow}",
            headers: &[("Allow", "{allow}")],
            at: "lighthouse.yaml:16:3",
        },
        Row {
            name: "stranger",
            step: Step::Credential,
            status: 401,
            text: "who are you? {header} says it",
            headers: &[],
            at: "lighthouse.yaml:17:3",
        },
        Row {
            name: "no_json",
            step: Step::MediaType,
            status: 415,
            text: "JSON, please",
            headers: &[],
            at: "lighthouse.yaml:18:3",
        },
        Row {
            name: "too_long",
            step: Step::BodySize,
            status: 413,
            text: "at most {max_bytes} bytes",
            headers: &[],
            at: "lighthouse.yaml:19:3",
        },
        Row {
            name: "too_slow",
            step: Step::BodyTime,
            status: 408,
            text: "at most {max_seconds} s",
            headers: &[],
            at: "lighthouse.yaml:20:3",
        },
        Row {
            name: "nonsense",
            step: Step::Decode,
            status: 400,
            text: "{faults}",
            headers: &[],
            at: "lighthouse.yaml:21:3",
        },
        Row {
            name: "unseen",
            step: Step::Exists,
            status: 404,
            text: "no {noun} {id}",
            headers: &[],
            at: "lighthouse.yaml:22:3",
        },
        Row {
            name: "flooded",
            step: Step::Write,
            status: 503,
            text: "the log is under water",
            headers: &[],
            at: "lighthouse.yaml:23:3",
        },
        Row {
            name: "broken",
            step: Step::Internal,
            status: 500,
            text: "the lamp is out",
            headers: &[],
            at: "lighthouse.yaml:24:3",
        },
    ],
    success: &[
        ("ok", Part::Literal("true")),
        ("result", Part::IfAny("data")),
        ("note", Part::IfAny("message")),
        ("...", Part::Always("siblings")),
    ],
    error: &[
        ("ok", Part::Literal("false")),
        ("code", Part::Always("code")),
        ("status", Part::Always("status")),
        ("reason", Part::Always("text")),
        ("trace", Part::Always("request_id")),
    ],
    headers: &[("X-Trace", "{request_id}")],
    limits: &[],
    limit_headers: &[],
    credentials: &[
        Credential {
            name: "keeper_pass",
            header: "X-Keeper",
            caller: Some("Keeper"),
            plans: &[],
            suspends: false,
            prefix: "keeper-",
            random: 24,
        },
    ],
};

/// Every name that the contract gives a field, a member or a parameter anywhere.
#[allow(dead_code)]
pub(crate) const VOCABULARY: &[&str] = &[
    "bearing",
    "day",
    "id",
    "keeper_id",
    "most",
    "name",
    "no_such_name",
    "ship",
    "speed",
];

/// The types.
#[allow(dead_code)]
pub(crate) mod types {
    #[allow(unused_imports)]
    use super::*;

    pub(crate) static SHIP: Type = Type::Text {
        min: 2,
        max: Some(40),
        chars: None,
    };

    pub(crate) static KNOTS: Type = Type::Number {
        min: Some(0.0),
        exclusive_min: None,
        max: Some(60.0),
        decimals: Some(1),
    };

    pub(crate) static COUNT: Type = Type::Integer {
        min: Some(1),
        max: Some(50),
    };
}

/// The enums.
#[allow(dead_code)]
pub(crate) mod enums {
    #[allow(unused_imports)]
    use super::*;

    pub(crate) static BEARING: Type = Type::Word(&["north", "east", "south", "west"]);
}

/// The objects.
#[allow(dead_code)]
pub(crate) mod objects {
    #[allow(unused_imports)]
    use super::*;
}

/// The inputs.
#[allow(dead_code)]
pub(crate) mod inputs {
    #[allow(unused_imports)]
    use super::*;
}

/// The views.
#[allow(dead_code)]
pub(crate) mod views {
    #[allow(unused_imports)]
    use super::*;

    pub(crate) static SIGHTING_ENTRY: Type = Type::Object(
        &[
            Member::required("id", &Type::Id("Sighting")),
            Member::required("ship", &types::SHIP),
            Member::required("heading", &enums::BEARING),
            Member::nullable("speed", &types::KNOTS),
            Member::nullable("day", &Type::Date),
        ],
    );
}

/// The quotas.
pub(crate) mod quotas {
    #[allow(unused_imports)]
    use super::*;
}

pub(crate) mod open {
    /// `GET /open/ping` (lighthouse.yaml:54:7)
    pub(crate) mod ping {
        #[allow(unused_imports)]
        use super::super::*;

        pub(crate) static OPERATION: Operation = Operation {
            name: "open::ping",
            at: "lighthouse.yaml:54:7",
            method: "GET",
            path: "/open/ping",
            allow: &["GET"],
            credential: None,
            limit: None,
            plan: None,
            parameters: &[],
            query: &[],
            body: None,
            partial: false,
            max_bytes: 4096,
            exists: &[],
            owned: &[],
            quota: None,
            transitions: None,
            status: 200,
            data: None,
            message: None,
            siblings: &[],
            sort: &[],
            read_back: None,
        };

        fn attempt() -> Attempt {
            Attempt::new(world(), &CONTRACT, &OPERATION)
        }

        #[test]
        fn success() {
            attempt().accepted();
        }

        #[test]
        fn other_methods() {
            attempt().refuses_other_methods();
        }

        #[test]
        fn trailing_slash() {
            attempt().refuses_longer_paths();
        }

        #[test]
        fn unknown_parameters() {
            attempt().refuses_unknown_parameters(VOCABULARY);
        }

        #[test]
        fn body_is_ignored() {
            attempt().ignores_body();
        }

        #[test]
        fn is_not_limited() {
            attempt().is_not_limited();
        }

        #[test]
        fn nowhere_comes_first() {
            attempt().precedes(Step::Route, &[Step::Method, Step::Decode]);
        }

        #[test]
        fn not_so_comes_first() {
            attempt().precedes(Step::Method, &[Step::Decode]);
        }
    }
}

pub(crate) mod log {
    /// `POST /log/v2/sightings` (lighthouse.yaml:63:7)
    pub(crate) mod create_sighting {
        #[allow(unused_imports)]
        use super::super::*;

        pub(crate) static OPERATION: Operation = Operation {
            name: "log::create_sighting",
            at: "lighthouse.yaml:63:7",
            method: "POST",
            path: "/log/v2/sightings",
            allow: &["POST", "GET"],
            credential: Some(&CONTRACT.credentials[0]),
            limit: None,
            plan: None,
            parameters: &[],
            query: &[],
            body: Some(
                &Type::Object(
                    &[
                        Member::required("ship", &types::SHIP),
                        Member::required("bearing", &enums::BEARING),
                        Member::optional("speed", &types::KNOTS),
                        Member::optional("day", &Type::Date),
                    ],
                ),
            ),
            partial: false,
            max_bytes: 4096,
            exists: &[],
            owned: &[],
            quota: None,
            transitions: None,
            status: 201,
            data: Some(&Type::Object(&[Member::required("id", &Type::Id("Sighting"))])),
            message: Some("Entered"),
            siblings: &[],
            sort: &[],
            read_back: Some(ReadBack {
                operation: &super::super::log::get_sighting::OPERATION,
                landing: Landing::InData("id"),
                members: &[
                    Shown::given("ship", "ship"),
                    Shown::given("bearing", "heading"),
                    Shown::given("speed", "speed").or("null"),
                    Shown::given("day", "day").or("null"),
                ],
            }),
        };

        fn attempt() -> Attempt {
            Attempt::new(world(), &CONTRACT, &OPERATION)
        }

        #[test]
        fn success() {
            attempt().accepted();
        }

        #[test]
        fn no_credential() {
            attempt().refuses_without_credential();
        }

        #[test]
        fn unknown_credential() {
            attempt().refuses_unknown_credentials();
        }

        #[test]
        fn credential_given_twice() {
            attempt().refuses_credential_twice();
        }

        #[test]
        fn credential_of_another_kind() {
            attempt().refuses_credentials_of_other_kinds();
        }

        #[test]
        fn other_methods() {
            attempt().refuses_other_methods();
        }

        #[test]
        fn trailing_slash() {
            attempt().refuses_longer_paths();
        }

        #[test]
        fn unknown_parameters() {
            attempt().refuses_unknown_parameters(VOCABULARY);
        }

        #[test]
        fn media_types() {
            attempt().refuses_other_media_types();
        }

        #[test]
        fn media_type_in_capitals() {
            attempt().accepts_media_type("Application/JSON");
        }

        #[test]
        fn media_type_with_charset() {
            attempt().accepts_media_type("application/json; charset=UTF-8");
        }

        #[test]
        fn largest_body() {
            attempt().accepts_largest_body();
        }

        #[test]
        fn too_large_body() {
            attempt().refuses_large_bodies();
        }

        #[test]
        fn not_json() {
            attempt().refuses_what_is_not_json();
        }

        #[test]
        fn not_an_object() {
            attempt().refuses_what_is_no_object();
        }

        #[test]
        fn unknown_members() {
            attempt().refuses_unknown_members("", VOCABULARY);
        }

        #[test]
        fn ship_missing() {
            attempt().without("ship").invalid(&["ship"]);
        }

        #[test]
        fn ship_null() {
            attempt().refuses_null("ship");
        }

        #[test]
        fn ship_twice() {
            attempt().twice("ship").invalid(&["ship"]);
        }

        #[test]
        fn ship_misspelt() {
            attempt().with("shipp", raw("1")).invalid(&["shipp", "ship"]);
        }

        #[test]
        fn ship_of_wrong_type() {
            attempt().refuses_wrong_types("ship");
        }

        #[test]
        fn ship_at_max() {
            attempt().with("ship", text(40)).accepted();
        }

        #[test]
        fn ship_above_max() {
            attempt().with("ship", text(41)).invalid(&["ship"]);
        }

        #[test]
        fn ship_at_min() {
            attempt().with("ship", text(2)).accepted();
        }

        #[test]
        fn ship_below_min() {
            attempt().with("ship", text(1)).invalid(&["ship"]);
        }

        #[test]
        fn ship_blank_or_with_controls() {
            attempt().refuses_blank_and_control_characters("ship", true);
        }

        #[test]
        fn ship_kept_as_sent() {
            attempt().with("ship", word(" e\u{301}é\t\"\\/\r\n東 ")).accepted();
        }

        #[test]
        fn bearing_missing() {
            attempt().without("bearing").invalid(&["bearing"]);
        }

        #[test]
        fn bearing_null() {
            attempt().refuses_null("bearing");
        }

        #[test]
        fn bearing_twice() {
            attempt().twice("bearing").invalid(&["bearing"]);
        }

        #[test]
        fn bearing_misspelt() {
            attempt().with("bearingg", raw("1")).invalid(&["bearingg", "bearing"]);
        }

        #[test]
        fn bearing_of_wrong_type() {
            attempt().refuses_wrong_types("bearing");
        }

        #[test]
        fn bearing_is_north() {
            attempt().with("bearing", word("north")).accepted();
        }

        #[test]
        fn bearing_is_east() {
            attempt().with("bearing", word("east")).accepted();
        }

        #[test]
        fn bearing_is_south() {
            attempt().with("bearing", word("south")).accepted();
        }

        #[test]
        fn bearing_is_west() {
            attempt().with("bearing", word("west")).accepted();
        }

        #[test]
        fn bearing_is_no_such_word() {
            attempt().refuses_other_words("bearing", &[]);
        }

        #[test]
        fn speed_null() {
            attempt().with("speed", null()).accepted();
        }

        #[test]
        fn speed_twice() {
            attempt().twice("speed").invalid(&["speed"]);
        }

        #[test]
        fn speed_misspelt() {
            attempt().with("speedd", raw("1")).invalid(&["speedd", "speed"]);
        }

        #[test]
        fn speed_of_wrong_type() {
            attempt().refuses_wrong_types("speed");
        }

        #[test]
        fn speed_at_min() {
            attempt().with("speed", raw("0")).accepted();
        }

        #[test]
        fn speed_at_max() {
            attempt().with("speed", raw("60")).accepted();
        }

        #[test]
        fn speed_below_min() {
            attempt().with("speed", raw("-0.1")).invalid(&["speed"]);
        }

        #[test]
        fn speed_above_max() {
            attempt().with("speed", raw("60.1")).invalid(&["speed"]);
        }

        #[test]
        fn speed_with_all_its_decimals() {
            attempt().with("speed", raw("0.1")).accepted();
        }

        #[test]
        fn speed_with_a_decimal_too_many() {
            attempt().with("speed", raw("0.15")).invalid(&["speed"]);
        }

        #[test]
        fn day_null() {
            attempt().with("day", null()).accepted();
        }

        #[test]
        fn day_twice() {
            attempt().twice("day").invalid(&["day"]);
        }

        #[test]
        fn day_misspelt() {
            attempt().with("dayy", raw("1")).invalid(&["dayy", "day"]);
        }

        #[test]
        fn day_of_wrong_type() {
            attempt().refuses_wrong_types("day");
        }

        #[test]
        fn day_is_2024_02_29() {
            attempt().with("day", word("2024-02-29")).accepted();
        }

        #[test]
        fn day_is_1970_01_01() {
            attempt().with("day", word("1970-01-01")).accepted();
        }

        #[test]
        fn day_is_9999_12_31() {
            attempt().with("day", word("9999-12-31")).accepted();
        }

        #[test]
        fn day_is_no_day() {
            attempt().refuses_dates_that_are_none("day");
        }

        #[test]
        fn is_not_limited() {
            attempt().is_not_limited();
        }

        #[test]
        fn nowhere_comes_first() {
            attempt()
                .precedes(
                    Step::Route,
                    &[
                        Step::Method,
                        Step::Credential,
                        Step::MediaType,
                        Step::BodySize,
                        Step::Decode,
                    ],
                );
        }

        #[test]
        fn not_so_comes_first() {
            attempt()
                .precedes(
                    Step::Method,
                    &[Step::Credential, Step::MediaType, Step::BodySize, Step::Decode],
                );
        }

        #[test]
        fn stranger_comes_first() {
            attempt()
                .precedes(
                    Step::Credential,
                    &[Step::MediaType, Step::BodySize, Step::Decode],
                );
        }

        #[test]
        fn no_json_comes_first() {
            attempt().precedes(Step::MediaType, &[Step::BodySize, Step::Decode]);
        }

        #[test]
        fn too_long_comes_first() {
            attempt().precedes(Step::BodySize, &[Step::Decode]);
        }
    }

    /// `GET /log/v2/sightings` (lighthouse.yaml:68:7)
    pub(crate) mod list_sightings {
        #[allow(unused_imports)]
        use super::super::*;

        pub(crate) static OPERATION: Operation = Operation {
            name: "log::list_sightings",
            at: "lighthouse.yaml:68:7",
            method: "GET",
            path: "/log/v2/sightings",
            allow: &["POST", "GET"],
            credential: Some(&CONTRACT.credentials[0]),
            limit: None,
            plan: None,
            parameters: &[],
            query: &[
                Member::optional("bearing", &enums::BEARING),
                Member::optional("most", &types::COUNT).or("10"),
            ],
            body: None,
            partial: false,
            max_bytes: 4096,
            exists: &[],
            owned: &[],
            quota: None,
            transitions: None,
            status: 200,
            data: Some(
                &Type::List {
                    of: &views::SIGHTING_ENTRY,
                    min: 0,
                    max: None,
                    unique: None,
                },
            ),
            message: None,
            siblings: &["total", "most"],
            sort: &[("id", true)],
            read_back: None,
        };

        fn attempt() -> Attempt {
            Attempt::new(world(), &CONTRACT, &OPERATION)
        }

        #[test]
        fn success() {
            attempt().accepted();
        }

        #[test]
        fn no_credential() {
            attempt().refuses_without_credential();
        }

        #[test]
        fn unknown_credential() {
            attempt().refuses_unknown_credentials();
        }

        #[test]
        fn credential_given_twice() {
            attempt().refuses_credential_twice();
        }

        #[test]
        fn credential_of_another_kind() {
            attempt().refuses_credentials_of_other_kinds();
        }

        #[test]
        fn other_methods() {
            attempt().refuses_other_methods();
        }

        #[test]
        fn trailing_slash() {
            attempt().refuses_longer_paths();
        }

        #[test]
        fn unknown_parameters() {
            attempt().refuses_unknown_parameters(VOCABULARY);
        }

        #[test]
        fn bearing_twice() {
            attempt()
                .parameter("bearing", "north")
                .parameter("bearing", "north")
                .invalid(&["bearing"]);
        }

        #[test]
        fn bearing_empty() {
            attempt().parameter("bearing", "").invalid(&["bearing"]);
        }

        #[test]
        fn bearing_badly_encoded() {
            attempt().refuses_broken_encoding("bearing");
        }

        #[test]
        fn bearing_misspelt() {
            attempt().parameter("bearingg", "north").invalid(&["bearingg", "bearing"]);
        }

        #[test]
        fn bearing_is_north() {
            attempt().parameter("bearing", "north").accepted();
        }

        #[test]
        fn bearing_is_east() {
            attempt().parameter("bearing", "east").accepted();
        }

        #[test]
        fn bearing_is_south() {
            attempt().parameter("bearing", "south").accepted();
        }

        #[test]
        fn bearing_is_west() {
            attempt().parameter("bearing", "west").accepted();
        }

        #[test]
        fn bearing_is_no_such_word() {
            attempt().refuses_wrong_texts("bearing");
        }

        #[test]
        fn most_twice() {
            attempt().parameter("most", "1").parameter("most", "1").invalid(&["most"]);
        }

        #[test]
        fn most_empty() {
            attempt().parameter("most", "").invalid(&["most"]);
        }

        #[test]
        fn most_badly_encoded() {
            attempt().refuses_broken_encoding("most");
        }

        #[test]
        fn most_misspelt() {
            attempt().parameter("mostt", "1").invalid(&["mostt", "most"]);
        }

        #[test]
        fn most_at_max() {
            attempt().parameter("most", "50").accepted();
        }

        #[test]
        fn most_above_max() {
            attempt().parameter("most", "51").invalid(&["most"]);
        }

        #[test]
        fn most_at_min() {
            attempt().parameter("most", "1").accepted();
        }

        #[test]
        fn most_below_min() {
            attempt().parameter("most", "0").invalid(&["most"]);
        }

        #[test]
        fn most_of_wrong_type() {
            attempt().refuses_wrong_texts("most");
        }

        #[test]
        fn body_is_ignored() {
            attempt().ignores_body();
        }

        #[test]
        fn is_not_limited() {
            attempt().is_not_limited();
        }

        #[test]
        fn nowhere_comes_first() {
            attempt()
                .precedes(Step::Route, &[Step::Method, Step::Credential, Step::Decode]);
        }

        #[test]
        fn not_so_comes_first() {
            attempt().precedes(Step::Method, &[Step::Credential, Step::Decode]);
        }

        #[test]
        fn stranger_comes_first() {
            attempt().precedes(Step::Credential, &[Step::Decode]);
        }
    }

    /// `GET /log/v2/sightings/:id` (lighthouse.yaml:74:7)
    pub(crate) mod get_sighting {
        #[allow(unused_imports)]
        use super::super::*;

        pub(crate) static OPERATION: Operation = Operation {
            name: "log::get_sighting",
            at: "lighthouse.yaml:74:7",
            method: "GET",
            path: "/log/v2/sightings/:id",
            allow: &["GET"],
            credential: Some(&CONTRACT.credentials[0]),
            limit: None,
            plan: None,
            parameters: &[
                Parameter {
                    name: "id",
                    of: &Type::Id("Sighting"),
                },
            ],
            query: &[],
            body: None,
            partial: false,
            max_bytes: 4096,
            exists: &[
                Exists {
                    resource: "Sighting",
                    noun: "sighting",
                    in_path: true,
                    id: "id",
                    within: None,
                    private: true,
                },
            ],
            owned: &["Sighting"],
            quota: None,
            transitions: None,
            status: 200,
            data: Some(&views::SIGHTING_ENTRY),
            message: None,
            siblings: &[],
            sort: &[],
            read_back: None,
        };

        fn attempt() -> Attempt {
            Attempt::new(world(), &CONTRACT, &OPERATION)
        }

        #[test]
        fn success() {
            attempt().accepted();
        }

        #[test]
        fn no_credential() {
            attempt().refuses_without_credential();
        }

        #[test]
        fn unknown_credential() {
            attempt().refuses_unknown_credentials();
        }

        #[test]
        fn credential_given_twice() {
            attempt().refuses_credential_twice();
        }

        #[test]
        fn credential_of_another_kind() {
            attempt().refuses_credentials_of_other_kinds();
        }

        #[test]
        fn other_methods() {
            attempt().refuses_other_methods();
        }

        #[test]
        fn trailing_slash() {
            attempt().refuses_longer_paths();
        }

        #[test]
        fn path_id_that_is_no_integer() {
            attempt().refuses_ids_that_are_none("id");
        }

        #[test]
        fn unknown_parameters() {
            attempt().refuses_unknown_parameters(VOCABULARY);
        }

        #[test]
        fn body_is_ignored() {
            attempt().ignores_body();
        }

        #[test]
        fn absent_sighting() {
            attempt().refuses_absent("Sighting");
        }

        #[test]
        fn stranger() {
            attempt().refuses_stranger();
        }

        #[test]
        fn is_not_limited() {
            attempt().is_not_limited();
        }

        #[test]
        fn nowhere_comes_first() {
            attempt()
                .precedes(
                    Step::Route,
                    &[Step::Method, Step::Credential, Step::Decode, Step::Exists],
                );
        }

        #[test]
        fn not_so_comes_first() {
            attempt()
                .precedes(Step::Method, &[Step::Credential, Step::Decode, Step::Exists]);
        }

        #[test]
        fn stranger_comes_first() {
            attempt().precedes(Step::Credential, &[Step::Decode, Step::Exists]);
        }

        #[test]
        fn nonsense_comes_first() {
            attempt().precedes(Step::Decode, &[Step::Exists]);
        }
    }
}
