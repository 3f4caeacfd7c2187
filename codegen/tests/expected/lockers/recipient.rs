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
    support::filter(
        |_, path| support::is_under(path, BASE),
        Some("recipient"),
        gate.observer.clone(),
        move |mut exchange| {
            let (app, gate) = (
                std::sync::Arc::clone(&app),
                std::sync::Arc::clone(&gate),
            );
            async move {
                let outcome = support::unwinding(
                        exchange.span(),
                        dispatch(&*app, &gate, &mut exchange),
                    )
                    .await;
                respond(exchange, outcome).await
            }
        },
    )
}

async fn dispatch<A>(
    app: &A,
    gate: &Gate,
    exchange: &mut support::Exchange,
) -> Result<support::Answer, support::Refusal>
where
    A: GetMe + AdmitPass + UpdateMe + ListParcels + GetParcel + FindParcel + UpdateParcel
        + OpenCompartment + ReportDefect + FindStation,
{
    match route(&exchange.method, exchange.path()) {
        Routed::To(Operation::GetMe) => get_me::run(app, gate, exchange).await,
        Routed::To(Operation::UpdateMe) => update_me::run(app, gate, exchange).await,
        Routed::To(Operation::ListParcels) => {
            list_parcels::run(app, gate, exchange).await
        }
        Routed::To(Operation::GetParcel) => get_parcel::run(app, gate, exchange).await,
        Routed::To(Operation::UpdateParcel) => {
            update_parcel::run(app, gate, exchange).await
        }
        Routed::To(Operation::OpenCompartment) => {
            open_compartment::run(app, gate, exchange).await
        }
        Routed::To(Operation::ReportDefect) => {
            report_defect::run(app, gate, exchange).await
        }
        Routed::OtherMethod(allow) => Err(errors::wrong_method(allow)),
        Routed::Nowhere => Err(errors::no_such_path()),
    }
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
