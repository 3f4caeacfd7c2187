//! Defects of stations: reported by recipients, repaired by the crew.

use crate::pages::page;
use crate::support::{Failure, Page, Rows};
use crate::{Defect, DefectId, DefectItem, DefectKnown, DefectStatus, Lockers, depot, quotas, recipient};
use depot::{list_defects, move_defect};
use recipient::{list_known_defects, report_defect};
use std::sync::Arc;

impl recipient::ReportDefect for Lockers {
    async fn report_defect(
        &self,
        request: report_defect::Request,
    ) -> Result<report_defect::Success, report_defect::Error> {
        let (station_id, recipient_id) = (request.station.id, request.caller.id);
        let mut store = self.store();
        let is_open = |status| matches!(status, DefectStatus::Reported | DefectStatus::InRepair);
        let open = store
            .defects
            .filter(|defect| defect.recipient_id == recipient_id && is_open(defect.status));
        if i64::try_from(open.len()).is_ok_and(|open| open >= quotas::OPEN_REPORTS) {
            return Err(report_defect::Error::Exhausted);
        }
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

impl recipient::ListKnownDefects for Lockers {
    async fn list_known_defects(
        &self,
        request: list_known_defects::Request,
    ) -> Result<Rows<DefectKnown>, list_known_defects::Error> {
        let store = self.store();
        let mut found = store.defects.filter(|defect| defect.station_id == request.station.id);
        found.sort_by(|a, b| list_known_defects::order(a, b));
        Ok(found.iter().map(|defect| defect.known()).collect())
    }
}

impl depot::ListDefects for Lockers {
    async fn list_defects(&self, request: list_defects::Request) -> Result<Page<DefectItem>, list_defects::Error> {
        let list_defects::Query {
            station,
            code,
            status,
            seen_since,
        } = request.query;
        let store = self.store();
        let is_at = |defect: &Defect, code: &str| {
            let station = store.stations.get(defect.station_id);
            station.is_some_and(|station| station.code == code)
        };
        let mut found = store.defects.filter(|defect| {
            station.is_none_or(|station| defect.station_id == station)
                && code.as_ref().is_none_or(|code| is_at(defect, code))
                && status.is_none_or(|status| defect.status == status)
                && seen_since.is_none_or(|since| defect.seen_on.is_some_and(|seen| seen >= since))
        });
        found.sort_by(|a, b| list_defects::order(a, b));
        let item =
            |defect: &Arc<Defect>| Ok(defect.item(store.stations.get(defect.station_id).ok_or(Failure::Internal)?));
        page(&found, 0, i64::MAX, item).map_err(Into::into)
    }
}

impl depot::MoveDefect for Lockers {
    async fn move_defect(&self, request: move_defect::Request) -> Result<(), move_defect::Error> {
        let to = request.body.status;
        let mut store = self.store();
        let defect = store.defects.get_mut(request.defect.id).ok_or(Failure::Internal)?;
        let from = defect.status;
        if !from.may_become(to) {
            return Err(move_defect::Error::WrongTurn { from, to });
        }
        defect.status = to;
        if request.body.note.is_some() {
            defect.note = request.body.note;
        }
        Ok(())
    }
}
