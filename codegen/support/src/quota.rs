//! Quotas, and what requests count towards them. The store decides in the transaction that commits: it counts the records
//! that there are, or keeps a [`Usage`] of the present period.

use super::key::KeyBytes;

/// A quota of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Its name.
    pub name: &'static str,
    /// The maximum.
    pub max: i64,
    /// The length of the period in which is counted what requests make, in seconds. `None`: counted are the records that
    /// there are. Periods begin with each multiple of their length since the beginning of 1970, UTC.
    pub seconds: Option<i64>,
}

/// What a request counts towards a quota.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotaUse {
    /// The quota.
    pub quota: &'static Quota,
    /// The key of the record for which is counted.
    pub owner: KeyBytes,
    /// How much.
    pub amount: Amount,
}

/// How much a request counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// So many records or bytes.
    Of(i64),
    /// As many as there are items that no record had: the transaction knows.
    NewItems,
}

/// What was counted for an owner within a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The number of the period.
    pub period: i64,
    /// What was counted in it.
    pub count: i64,
}

/// A request would exceed this quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverQuota(pub &'static Quota);

impl Quota {
    /// Counts `amount` at this Unix time, after `former`. `None` if the quota has no periods.
    ///
    /// A clock that was set back does not begin an earlier period again.
    ///
    /// # Errors
    /// If there would be more than the maximum.
    pub fn count(&'static self, former: Option<Usage>, amount: i64, unix: i64) -> Option<Result<Usage, OverQuota>> {
        let now = unix.div_euclid(self.seconds?);
        let (period, used) = match former {
            Some(former) if former.period >= now => (former.period, former.count),
            _ => (now, 0),
        };
        Some(match used.checked_add(amount) {
            // Of a quota that was lowered, more than the maximum may be used already.
            Some(count) if count <= self.max || amount == 0 => Ok(Usage { period, count }),
            _ => Err(OverQuota(self)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;
    static LOANS: Quota = Quota {
        name: "loans",
        max: 3,
        seconds: Some(DAY),
    };

    #[track_caller]
    fn check(former: Option<(i64, i64)>, amount: i64, unix: i64, expected: Option<(i64, i64)>) {
        let former = former.map(|(period, count)| Usage { period, count });
        let counted = LOANS.count(former, amount, unix).expect("it has periods").ok();
        assert_eq!(counted.map(|usage| (usage.period, usage.count)), expected);
    }

    #[test]
    fn the_maximum_is_allowed_and_no_more() {
        check(None, 3, DAY, Some((1, 3)));
        check(None, 4, DAY, None);
        check(Some((1, 2)), 1, DAY + 5, Some((1, 3)));
        check(Some((1, 3)), 1, 2 * DAY - 1, None);
        check(Some((1, 3)), 0, DAY, Some((1, 3)));
        check(Some((1, 1)), i64::MAX, DAY, None);
    }

    #[test]
    fn the_next_period_begins_at_its_time_and_none_comes_again() {
        check(Some((1, 3)), 1, 2 * DAY, Some((2, 1)));
        check(Some((2, 3)), 1, 2 * DAY - 1, None);
        check(Some((-1, 3)), 1, -1, None);
    }
}
