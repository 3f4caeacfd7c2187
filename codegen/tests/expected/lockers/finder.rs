// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The path before every operation's own.
pub const BASE: &str = "/find";

/// The whole surface as one filter; a path that is not under its base is rejected as not found, so that filters of one's own can follow with `or`.
pub fn filter<A>(
    app: std::sync::Arc<A>,
    gate: std::sync::Arc<Gate>,
) -> impl support::warp::Filter<
    Extract = (support::Response,),
    Error = support::warp::Rejection,
> + Clone
where
    A: ListStations + GetStation + FindStation,
{
    serve(app, gate, "finder", |_, path| support::is_under(path, BASE), dispatch)
}

fn dispatch<'r, A>(
    app: &'r A,
    gate: &'r Gate,
    exchange: &'r mut support::Exchange,
) -> support::Steps<'r>
where
    A: ListStations + GetStation + FindStation,
{
    let refusal = match route(&exchange.method, exchange.path()) {
        Routed::To(Operation::ListStations) => {
            return list_stations::run(app, gate, exchange);
        }
        Routed::To(Operation::GetStation) => return get_station::run(app, gate, exchange),
        Routed::OtherMethod(allow) => errors::wrong_method(allow),
        Routed::Nowhere => errors::no_such_path(),
    };
    Box::pin(std::future::ready(Err(refusal)))
}

#[derive(Clone, Copy)]
enum Operation {
    ListStations,
    GetStation,
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
        Some("stations") => {
            match segments.next().as_deref() {
                None => {
                    match *method {
                        support::Method::GET => Routed::To(Operation::ListStations),
                        _ => Routed::OtherMethod("GET"),
                    }
                }
                Some("") => Routed::Nowhere,
                Some(_) => {
                    match segments.next().as_deref() {
                        None => {
                            match *method {
                                support::Method::GET => Routed::To(Operation::GetStation),
                                _ => Routed::OtherMethod("GET"),
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
