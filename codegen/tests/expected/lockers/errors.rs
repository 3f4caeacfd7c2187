// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The error table.
#[allow(dead_code)]
pub(crate) mod errors {
    use super::support::{Failure, Refusal};

    /// `no_such_path`: 404 (tests/lockers/api.yaml:27:3)
    pub(crate) fn no_such_path() -> Refusal {
        Refusal {
            row: "no_such_path",
            status: 404,
            text: "nothing is found at this path".into(),
            headers: vec![],
        }
    }

    /// `wrong_method`: 405 (tests/lockers/api.yaml:28:3)
    pub(crate) fn wrong_method(allow: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "wrong_method",
            status: 405,
            text: format!("only {allow} can be asked for here").into(),
            headers: vec![("allow", allow.to_string())],
        }
    }

    /// `locked_out`: 429 (tests/lockers/api.yaml:29:3)
    pub(crate) fn locked_out(seconds: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "locked_out",
            status: 429,
            text: format!(
                "too many wrong credentials from your address, try again in {seconds} s"
            )
                .into(),
            headers: vec![("retry-after", seconds.to_string())],
        }
    }

    /// `unknown_caller`: 401 (tests/lockers/api.yaml:30:3)
    pub(crate) fn unknown_caller(header: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "unknown_caller",
            status: 401,
            text: format!("send one valid credential in {header}").into(),
            headers: vec![("lockers-credential", header.to_string())],
        }
    }

    /// `barred`: 403 (tests/lockers/api.yaml:31:3)
    pub(crate) fn barred() -> Refusal {
        Refusal {
            row: "barred",
            status: 403,
            text: "this courier is barred, please call the depot".into(),
            headers: vec![],
        }
    }

    /// `too_many`: 429 (tests/lockers/api.yaml:32:3)
    pub(crate) fn too_many(seconds: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "too_many",
            status: 429,
            text: format!("slow down, and try again in {seconds} s").into(),
            headers: vec![("retry-after", seconds.to_string())],
        }
    }

    /// `not_json`: 415 (tests/lockers/api.yaml:33:3)
    pub(crate) fn not_json() -> Refusal {
        Refusal {
            row: "not_json",
            status: 415,
            text: "send the body as application/json".into(),
            headers: vec![],
        }
    }

    /// `too_large`: 413 (tests/lockers/api.yaml:34:3)
    pub(crate) fn too_large(max_bytes: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "too_large",
            status: 413,
            text: format!("the body may have {max_bytes} bytes, not more").into(),
            headers: vec![],
        }
    }

    /// `too_slow`: 408 (tests/lockers/api.yaml:35:3)
    pub(crate) fn too_slow(max_seconds: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "too_slow",
            status: 408,
            text: format!("the body must arrive within {max_seconds} s").into(),
            headers: vec![],
        }
    }

    /// `malformed`: 422 (tests/lockers/api.yaml:36:3)
    pub(crate) fn malformed(faults: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "malformed",
            status: 422,
            text: faults.to_string().into(),
            headers: vec![],
        }
    }

    /// `higher_plan`: 402 (tests/lockers/api.yaml:37:3)
    pub(crate) fn higher_plan(plan: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "higher_plan",
            status: 402,
            text: format!("this takes the plan {plan}").into(),
            headers: vec![],
        }
    }

    /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
    pub(crate) fn unknown(
        noun: impl std::fmt::Display,
        id: impl std::fmt::Display,
    ) -> Refusal {
        Refusal {
            row: "unknown",
            status: 404,
            text: format!("there is no {noun} {id}").into(),
            headers: vec![],
        }
    }

    /// `foreign`: 403 (tests/lockers/api.yaml:39:3)
    pub(crate) fn foreign(
        noun: impl std::fmt::Display,
        id: impl std::fmt::Display,
    ) -> Refusal {
        Refusal {
            row: "foreign",
            status: 403,
            text: format!("{noun} {id} is another courier's").into(),
            headers: vec![],
        }
    }

    /// `exhausted`: 409 (tests/lockers/api.yaml:40:3)
    pub(crate) fn exhausted(
        max: impl std::fmt::Display,
        noun: impl std::fmt::Display,
    ) -> Refusal {
        Refusal {
            row: "exhausted",
            status: 409,
            text: format!("you have {max} {noun}, and may have no more").into(),
            headers: vec![],
        }
    }

    /// `wrong_turn`: 409 (tests/lockers/api.yaml:41:3)
    pub(crate) fn wrong_turn(
        noun: impl std::fmt::Display,
        id: impl std::fmt::Display,
        from: impl std::fmt::Display,
        to: impl std::fmt::Display,
    ) -> Refusal {
        Refusal {
            row: "wrong_turn",
            status: 409,
            text: format!("{noun} {id} is {from} and cannot be {to} next").into(),
            headers: vec![],
        }
    }

    /// `finished`: 409 (tests/lockers/api.yaml:42:3)
    pub(crate) fn finished(id: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "finished",
            status: 409,
            text: format!("parcel {id} is not under way any more").into(),
            headers: vec![],
        }
    }

    /// `not_free`: 409 (tests/lockers/api.yaml:43:3)
    pub(crate) fn not_free() -> Refusal {
        Refusal {
            row: "not_free",
            status: 409,
            text: "this compartment is in use, held for another courier, or blocked"
                .into(),
            headers: vec![],
        }
    }

    /// `too_small`: 409 (tests/lockers/api.yaml:44:3)
    pub(crate) fn too_small(id: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "too_small",
            status: 409,
            text: format!("parcel {id} does not fit into this compartment").into(),
            headers: vec![],
        }
    }

    /// `station_full`: 409 (tests/lockers/api.yaml:45:3)
    pub(crate) fn station_full(station: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "station_full",
            status: 409,
            text: format!("station {station} has no free compartment of this size")
                .into(),
            headers: vec![],
        }
    }

    /// `not_stored`: 409 (tests/lockers/api.yaml:46:3)
    pub(crate) fn not_stored(id: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "not_stored",
            status: 409,
            text: format!("parcel {id} is in no compartment").into(),
            headers: vec![],
        }
    }

    /// `occupied`: 409 (tests/lockers/api.yaml:47:3)
    pub(crate) fn occupied(
        compartment: impl std::fmt::Display,
        station: impl std::fmt::Display,
    ) -> Refusal {
        Refusal {
            row: "occupied",
            status: 409,
            text: format!("compartment {compartment} of station {station} is not empty")
                .into(),
            headers: vec![],
        }
    }

    /// `label_taken`: 409 (tests/lockers/api.yaml:48:3)
    pub(crate) fn label_taken(station: impl std::fmt::Display) -> Refusal {
        Refusal {
            row: "label_taken",
            status: 409,
            text: format!("station {station} has a compartment of this label already")
                .into(),
            headers: vec![],
        }
    }

    /// `read_only`: 503 (tests/lockers/api.yaml:49:3)
    pub(crate) fn read_only() -> Refusal {
        Refusal {
            row: "read_only",
            status: 503,
            text: "nothing can be changed at the moment, try again in a minute".into(),
            headers: vec![("retry-after", "60".to_owned())],
        }
    }

    /// `broken`: 500 (tests/lockers/api.yaml:50:3)
    pub(crate) fn broken() -> Refusal {
        Refusal {
            row: "broken",
            status: 500,
            text: "something went wrong on our side".into(),
            headers: vec![],
        }
    }

    /// What a caller sees of a failing storage.
    pub(crate) fn failure(failure: Failure) -> Refusal {
        match failure {
            Failure::Unwritable => read_only(),
            Failure::Internal => broken(),
        }
    }
}
