// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The path before every operation's own.
pub const BASE: &str = "/courier/v1";

/// The whole surface as one filter; a path that is not under its base is rejected as not found, so that filters of one's own can follow with `or`.
pub fn filter<A>(
    app: std::sync::Arc<A>,
    gate: std::sync::Arc<Gate>,
) -> impl support::warp::Filter<
    Extract = (support::Response,),
    Error = support::warp::Rejection,
> + Clone
where
    A: ListParcels + AdmitTerminalKey + AnnounceParcel + FindStation + FindRecipient
        + GetParcel + FindParcel + MoveParcel + StoreParcel + FindCompartment
        + ListReservations + CreateReservation + DeleteReservation + FindReservation
        + ListTerminals + DeleteTerminal + FindTerminal,
{
    serve(app, gate, "courier", |_, path| support::is_under(path, BASE), dispatch)
}

fn dispatch<'r, A>(
    app: &'r A,
    gate: &'r Gate,
    exchange: &'r mut support::Exchange,
) -> support::Steps<'r>
where
    A: ListParcels + AdmitTerminalKey + AnnounceParcel + FindStation + FindRecipient
        + GetParcel + FindParcel + MoveParcel + StoreParcel + FindCompartment
        + ListReservations + CreateReservation + DeleteReservation + FindReservation
        + ListTerminals + DeleteTerminal + FindTerminal,
{
    let refusal = match route(&exchange.method, exchange.path()) {
        Routed::To(Operation::ListParcels) => {
            return list_parcels::run(app, gate, exchange);
        }
        Routed::To(Operation::AnnounceParcel) => {
            return announce_parcel::run(app, gate, exchange);
        }
        Routed::To(Operation::GetParcel) => return get_parcel::run(app, gate, exchange),
        Routed::To(Operation::MoveParcel) => return move_parcel::run(app, gate, exchange),
        Routed::To(Operation::StoreParcel) => {
            return store_parcel::run(app, gate, exchange);
        }
        Routed::To(Operation::ListReservations) => {
            return list_reservations::run(app, gate, exchange);
        }
        Routed::To(Operation::CreateReservation) => {
            return create_reservation::run(app, gate, exchange);
        }
        Routed::To(Operation::DeleteReservation) => {
            return delete_reservation::run(app, gate, exchange);
        }
        Routed::To(Operation::ListTerminals) => {
            return list_terminals::run(app, gate, exchange);
        }
        Routed::To(Operation::DeleteTerminal) => {
            return delete_terminal::run(app, gate, exchange);
        }
        Routed::OtherMethod(allow) => errors::wrong_method(allow),
        Routed::Nowhere => errors::no_such_path(),
    };
    Box::pin(std::future::ready(Err(refusal)))
}

#[derive(Clone, Copy)]
enum Operation {
    ListParcels,
    AnnounceParcel,
    GetParcel,
    MoveParcel,
    StoreParcel,
    ListReservations,
    CreateReservation,
    DeleteReservation,
    ListTerminals,
    DeleteTerminal,
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
        Some("parcels") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::GET => Routed::To(Operation::ListParcels),
                        support::Method::POST => Routed::To(Operation::AnnounceParcel),
                        _ => Routed::OtherMethod("GET, POST"),
                    }
                }
                Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        None => {
                            match *method {
                                support::Method::GET => Routed::To(Operation::GetParcel),
                                _ => Routed::OtherMethod("GET"),
                            }
                        }
                        Some("status") => {
                            match segments.next().as_deref() {
                                None => {
                                    match *method {
                                        support::Method::PATCH => Routed::To(Operation::MoveParcel),
                                        _ => Routed::OtherMethod("PATCH"),
                                    }
                                }
                                _ => Routed::Nowhere,
                            }
                        }
                        Some("compartment") => {
                            match segments.next().as_deref() {
                                None => {
                                    match *method {
                                        support::Method::PUT => Routed::To(Operation::StoreParcel),
                                        _ => Routed::OtherMethod("PUT"),
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
        Some("reservations") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::GET => Routed::To(Operation::ListReservations),
                        _ => Routed::OtherMethod("GET"),
                    }
                }
                Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        None => {
                            match *method {
                                support::Method::DELETE => {
                                    Routed::To(Operation::DeleteReservation)
                                }
                                _ => Routed::OtherMethod("DELETE"),
                            }
                        }
                        _ => Routed::Nowhere,
                    }
                }
            }
        }
        Some("stations") => {
            match segments.next().as_deref() {
                None | Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        Some("reservations") => {
                            match segments.next().as_deref() {
                                None => {
                                    match *method {
                                        support::Method::POST => {
                                            Routed::To(Operation::CreateReservation)
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
        Some("terminals") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::GET => Routed::To(Operation::ListTerminals),
                        _ => Routed::OtherMethod("GET"),
                    }
                }
                Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        None => {
                            match *method {
                                support::Method::DELETE => {
                                    Routed::To(Operation::DeleteTerminal)
                                }
                                _ => Routed::OtherMethod("DELETE"),
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
