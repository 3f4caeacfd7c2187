//! Defects of stations: reported by recipients, repaired by the crew.

use crate::pages::page;
use crate::store::Store;
use crate::support::{Failure, Page, Rows};
use crate::{Defect, DefectId, DefectItem, DefectKnown, DefectStatus, Lockers, RecipientId, depot, quotas, recipient};
use depot::{list_defects, move_defect};
use recipient::{list_known_defects, reopen_defect, report_defect};
use std::sync::Arc;

impl recipient::ReportDefect for Lockers {
    async fn report_defect(
        &self,
        request: report_defect::Request,
    ) -> Result<report_defect::Success, report_defect::Error> {
        let (station_id, recipient_id) = (request.station.id, request.caller.id);
        let mut store = self.store();
        if store.has_open_reports(recipient_id) {
            return Err(report_defect::Error::ExhaustedOpenReports);
        }
        let now = self.now();
        store.count(&request.uses, now).map_err(Failure::from)?;
        let id = store.defects.add(DefectId::new, |id| {
            request.body.into_defect(report_defect::Rest {
                id,
                station_id,
                recipient_id,
            })
        });
        let status = DefectStatus::INITIAL;
        Ok(report_defect::Success { id, status })
    }
}

impl recipient::ReopenDefect for Lockers {
    async fn reopen_defect(&self, request: reopen_defect::Request) -> Result<(), reopen_defect::Error> {
        let (to, recipient_id) = (request.body.status.into(), request.caller.id);
        let mut store = self.store();
        let is_full = store.has_open_reports(recipient_id);
        let defect = store
            .defects
            .get_mut(request.owned_defect.id)
            .ok_or(Failure::Internal)?;
        let from = defect.status;
        if !from.may_become(to) {
            return Err(reopen_defect::Error::WrongTurn { from, to });
        }
        if is_full && !quotas::open_reports(defect) {
            return Err(reopen_defect::Error::Exhausted);
        }
        defect.status = to;
        Ok(())
    }
}

impl Store {
    /// Whether a recipient has as many open reports as there may be.
    fn has_open_reports(&self, recipient: RecipientId) -> bool {
        let open = self
            .defects
            .filter(|defect| defect.recipient_id == recipient && quotas::open_reports(defect));
        i64::try_from(open.len()).is_ok_and(|open| open >= quotas::OPEN_REPORTS)
    }
}

impl recipient::ListKnownDefects for Lockers {
    async fn list_known_defects(
        &self,
        request: list_known_defects::Request,
    ) -> Result<Rows<DefectKnown>, list_known_defects::Error> {
        let store = self.store();
        let mut found = store
            .defects
            .filter(|defect| list_known_defects::matches(defect, request.path));
        found.sort_by(|a, b| list_known_defects::order(a, b));
        Ok(found.iter().map(|defect| defect.known()).collect())
    }
}

impl depot::ListDefects for Lockers {
    async fn list_defects(&self, request: list_defects::Request) -> Result<Page<DefectItem>, list_defects::Error> {
        let store = self.store();
        let mut found = store.defects.filter(|defect| {
            let station = store.stations.get(defect.station_id);
            station.is_some_and(|station| list_defects::matches(defect, station, &request.query))
        });
        found.sort_by(|a, b| list_defects::order(a, b));
        let item =
            |defect: &Arc<Defect>| Ok(defect.item(store.stations.get(defect.station_id).ok_or(Failure::Internal)?));
        page(&found, 0, i64::MAX, item).map_err(Into::into)
    }
}

impl depot::MoveDefect for Lockers {
    async fn move_defect(&self, request: move_defect::Request) -> Result<(), move_defect::Error> {
        let (to, now) = (request.body.status, self.now());
        let mut store = self.store();
        let defect = store.defects.get_mut(request.defect.id).ok_or(Failure::Internal)?;
        let from = defect.status;
        if !from.may_become(to) {
            return Err(move_defect::Error::WrongTurn { from, to });
        }
        let former = (defect.status, defect.note.clone());
        defect.status = to;
        if request.body.note.is_some() {
            defect.note = request.body.note;
        }
        if former != (defect.status, defect.note.clone()) {
            let caused = move_defect::events(defect);
            store.emit(caused, now);
        }
        Ok(())
    }
}
