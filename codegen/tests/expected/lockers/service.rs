// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Every surface as one filter; a path of none of them is rejected as not found.
pub fn service_filter<A>(
    app: std::sync::Arc<A>,
    gate: std::sync::Arc<Gate>,
) -> impl support::warp::Filter<
    Extract = (support::Response,),
    Error = support::warp::Rejection,
> + Clone
where
    A: pulse::Ping + finder::ListStations + finder::GetStation + FindStation
        + courier::ListParcels + AdmitTerminalKey + courier::AnnounceParcel
        + FindRecipient + courier::GetParcel + FindParcel + courier::MoveParcel
        + courier::StoreParcel + FindCompartment + courier::ListReservations
        + courier::CreateReservation + courier::DeleteReservation + FindReservation
        + courier::ListTerminals + courier::DeleteTerminal + FindTerminal
        + recipient::GetMe + AdmitPass + recipient::UpdateMe + recipient::ListParcels
        + recipient::GetParcel + recipient::UpdateParcel + recipient::OpenCompartment
        + recipient::ReportDefect + depot::CreateCourier + AdmitBadge
        + depot::UpdateCourier + FindCourier + depot::CreateTerminal
        + depot::CreateRecipient + depot::CreateStation + depot::UpdateStation
        + depot::SetStationStatus + depot::CreateCompartments + depot::UpdateCompartment
        + depot::DeleteCompartment + depot::ListDefects + depot::MoveDefect + FindDefect,
{
    #[allow(unused_imports)]
    use support::warp::Filter;
    pulse::filter(app.clone(), gate.clone())
        .or(finder::filter(app.clone(), gate.clone()))
        .unify()
        .or(courier::filter(app.clone(), gate.clone()))
        .unify()
        .or(recipient::filter(app.clone(), gate.clone()))
        .unify()
        .or(depot::filter(app, gate))
        .unify()
}
