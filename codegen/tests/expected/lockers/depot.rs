// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The path before every operation's own.
pub const BASE: &str = "/depot";

/// The whole surface as one filter; a path that is not under its base is rejected as not found, so that filters of one's own can follow with `or`.
pub fn filter<A>(
    app: std::sync::Arc<A>,
    gate: std::sync::Arc<Gate>,
) -> impl support::warp::Filter<
    Extract = (support::Response,),
    Error = support::warp::Rejection,
> + Clone
where
    A: CreateCourier + AdmitBadge + UpdateCourier + FindCourier + CreateTerminal
        + CreateRecipient + CreateStation + UpdateStation + FindStation
        + SetStationStatus + CreateCompartments + UpdateCompartment + FindCompartment
        + DeleteCompartment + ListDefects + MoveDefect + FindDefect,
{
    serve(app, gate, "depot", |_, path| support::is_under(path, BASE), dispatch)
}

fn dispatch<'r, A>(
    app: &'r A,
    gate: &'r Gate,
    exchange: &'r mut support::Exchange,
) -> support::Steps<'r>
where
    A: CreateCourier + AdmitBadge + UpdateCourier + FindCourier + CreateTerminal
        + CreateRecipient + CreateStation + UpdateStation + FindStation
        + SetStationStatus + CreateCompartments + UpdateCompartment + FindCompartment
        + DeleteCompartment + ListDefects + MoveDefect + FindDefect,
{
    let refusal = match route(&exchange.method, exchange.path()) {
        Routed::To(Operation::CreateCourier) => {
            return create_courier::run(app, gate, exchange);
        }
        Routed::To(Operation::UpdateCourier) => {
            return update_courier::run(app, gate, exchange);
        }
        Routed::To(Operation::CreateTerminal) => {
            return create_terminal::run(app, gate, exchange);
        }
        Routed::To(Operation::CreateRecipient) => {
            return create_recipient::run(app, gate, exchange);
        }
        Routed::To(Operation::CreateStation) => {
            return create_station::run(app, gate, exchange);
        }
        Routed::To(Operation::UpdateStation) => {
            return update_station::run(app, gate, exchange);
        }
        Routed::To(Operation::SetStationStatus) => {
            return set_station_status::run(app, gate, exchange);
        }
        Routed::To(Operation::CreateCompartments) => {
            return create_compartments::run(app, gate, exchange);
        }
        Routed::To(Operation::UpdateCompartment) => {
            return update_compartment::run(app, gate, exchange);
        }
        Routed::To(Operation::DeleteCompartment) => {
            return delete_compartment::run(app, gate, exchange);
        }
        Routed::To(Operation::ListDefects) => {
            return list_defects::run(app, gate, exchange);
        }
        Routed::To(Operation::MoveDefect) => return move_defect::run(app, gate, exchange),
        Routed::OtherMethod(allow) => errors::wrong_method(allow),
        Routed::Nowhere => errors::no_such_path(),
    };
    Box::pin(std::future::ready(Err(refusal)))
}

#[derive(Clone, Copy)]
enum Operation {
    CreateCourier,
    UpdateCourier,
    CreateTerminal,
    CreateRecipient,
    CreateStation,
    UpdateStation,
    SetStationStatus,
    CreateCompartments,
    UpdateCompartment,
    DeleteCompartment,
    ListDefects,
    MoveDefect,
}

/// Where a request goes.
enum Routed {
    To(Operation),
    OtherMethod(&'static str),
    Nowhere,
}

/// Walks the path's segments; a literal wins over a parameter.
#[allow(clippy::too_many_lines, reason = "a table of all paths")]
fn route(method: &support::Method, path: &str) -> Routed {
    if !support::is_under(path, BASE) {
        return Routed::Nowhere;
    }
    let mut segments = support::segments_under(path, BASE);
    match segments.next().as_deref() {
        Some("couriers") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::POST => Routed::To(Operation::CreateCourier),
                        _ => Routed::OtherMethod("POST"),
                    }
                }
                Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        None => {
                            match *method {
                                support::Method::PATCH => {
                                    Routed::To(Operation::UpdateCourier)
                                }
                                _ => Routed::OtherMethod("PATCH"),
                            }
                        }
                        Some("terminals") => {
                            match segments.next().as_deref() {
                                None => {
                                    match *method {
                                        support::Method::POST => {
                                            Routed::To(Operation::CreateTerminal)
                                        }
                                        _ => Routed::OtherMethod("POST"),
                                    }
                                }
                                _ => Routed::Nowhere,
                            }
                        }
                        _ => Routed::Nowhere,
                    }
                }
            }
        }
        Some("recipients") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::POST => Routed::To(Operation::CreateRecipient),
                        _ => Routed::OtherMethod("POST"),
                    }
                }
                _ => Routed::Nowhere,
            }
        }
        Some("stations") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::POST => Routed::To(Operation::CreateStation),
                        _ => Routed::OtherMethod("POST"),
                    }
                }
                Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        None => {
                            match *method {
                                support::Method::PATCH => {
                                    Routed::To(Operation::UpdateStation)
                                }
                                _ => Routed::OtherMethod("PATCH"),
                            }
                        }
                        Some("status") => {
                            match segments.next().as_deref() {
                                None => {
                                    match *method {
                                        support::Method::PUT => {
                                            Routed::To(Operation::SetStationStatus)
                                        }
                                        _ => Routed::OtherMethod("PUT"),
                                    }
                                }
                                _ => Routed::Nowhere,
                            }
                        }
                        Some("compartments") => {
                            match segments.next().as_deref() {
                                None => {
                                    match *method {
                                        support::Method::POST => {
                                            Routed::To(Operation::CreateCompartments)
                                        }
                                        _ => Routed::OtherMethod("POST"),
                                    }
                                }
                                Some("") => Routed::Nowhere,
                                Some(_) => {
                                    match segments.next().as_deref() {
                                        None => {
                                            match *method {
                                                support::Method::PATCH => {
                                                    Routed::To(Operation::UpdateCompartment)
                                                }
                                                support::Method::DELETE => {
                                                    Routed::To(Operation::DeleteCompartment)
                                                }
                                                _ => Routed::OtherMethod("PATCH, DELETE"),
                                            }
                                        }
                                        _ => Routed::Nowhere,
                                    }
                                }
                            }
                        }
                        _ => Routed::Nowhere,
                    }
                }
            }
        }
        Some("defects") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::GET => Routed::To(Operation::ListDefects),
                        _ => Routed::OtherMethod("GET"),
                    }
                }
                Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        None => {
                            match *method {
                                support::Method::PATCH => Routed::To(Operation::MoveDefect),
                                _ => Routed::OtherMethod("PATCH"),
                            }
                        }
                        _ => Routed::Nowhere,
                    }
                }
            }
        }
        _ => Routed::Nowhere,
    }
}
