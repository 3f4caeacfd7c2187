// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The path before every operation's own.
pub const BASE: &str = "/me/v1";

/// The whole surface as one filter; a path that is not under its base is rejected as not found, so that filters of one's own can follow with `or`.
pub fn filter<A>(
    app: std::sync::Arc<A>,
    gate: std::sync::Arc<Gate>,
) -> impl support::warp::Filter<
    Extract = (support::Response,),
    Error = support::warp::Rejection,
> + Clone
where
    A: GetMe + AdmitPass + UpdateMe + ListParcels + GetParcel + FindParcel + UpdateParcel
        + OpenCompartment + ReportDefect + FindStation,
{
    serve(app, gate, "recipient", |_, path| support::is_under(path, BASE), dispatch)
}

fn dispatch<'r, A>(
    app: &'r A,
    gate: &'r Gate,
    exchange: &'r mut support::Exchange,
) -> support::Steps<'r>
where
    A: GetMe + AdmitPass + UpdateMe + ListParcels + GetParcel + FindParcel + UpdateParcel
        + OpenCompartment + ReportDefect + FindStation,
{
    let refusal = match route(&exchange.method, exchange.path()) {
        Routed::To(Operation::GetMe) => return get_me::run(app, gate, exchange),
        Routed::To(Operation::UpdateMe) => return update_me::run(app, gate, exchange),
        Routed::To(Operation::ListParcels) => {
            return list_parcels::run(app, gate, exchange);
        }
        Routed::To(Operation::GetParcel) => return get_parcel::run(app, gate, exchange),
        Routed::To(Operation::UpdateParcel) => {
            return update_parcel::run(app, gate, exchange);
        }
        Routed::To(Operation::OpenCompartment) => {
            return open_compartment::run(app, gate, exchange);
        }
        Routed::To(Operation::ReportDefect) => {
            return report_defect::run(app, gate, exchange);
        }
        Routed::OtherMethod(allow) => errors::wrong_method(allow),
        Routed::Nowhere => errors::no_such_path(),
    };
    Box::pin(std::future::ready(Err(refusal)))
}

#[derive(Clone, Copy)]
enum Operation {
    GetMe,
    UpdateMe,
    ListParcels,
    GetParcel,
    UpdateParcel,
    OpenCompartment,
    ReportDefect,
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
        Some("profile") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::GET => Routed::To(Operation::GetMe),
                        support::Method::PATCH => Routed::To(Operation::UpdateMe),
                        _ => Routed::OtherMethod("GET, PATCH"),
                    }
                }
                _ => Routed::Nowhere,
            }
        }
        Some("parcels") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::GET => Routed::To(Operation::ListParcels),
                        _ => Routed::OtherMethod("GET"),
                    }
                }
                Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        None => {
                            match *method {
                                support::Method::GET => Routed::To(Operation::GetParcel),
                                support::Method::PATCH => {
                                    Routed::To(Operation::UpdateParcel)
                                }
                                _ => Routed::OtherMethod("GET, PATCH"),
                            }
                        }
                        Some("opening") => {
                            match segments.next().as_deref() {
                                None => {
                                    match *method {
                                        support::Method::POST => {
                                            Routed::To(Operation::OpenCompartment)
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
        Some("stations") => {
            match segments.next().as_deref() {
                None | Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        Some("defects") => {
                            match segments.next().as_deref() {
                                None => {
                                    match *method {
                                        support::Method::POST => Routed::To(Operation::ReportDefect),
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
        _ => Routed::Nowhere,
    }
}
