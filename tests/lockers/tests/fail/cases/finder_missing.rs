//! Missing functions for guards and credentials are reported by name, too.

fn main() {
    let limits = lockers::Limits::new(&lockers::LimitSettings::default());
    let _ = lockers::recipient::get_me::filter(Service.into(), limits.into());
    //~^ E0277: nothing finds the caller of `Lockers-Pass` (tests/lockers/api.yaml:
    let limits = lockers::Limits::new(&lockers::LimitSettings::default());
    let _ = lockers::finder::get_station::filter(Service.into(), limits.into());
    //~^ E0277: nothing finds a station for the guards (tests/lockers/api.yaml:
}

struct Service;

impl lockers::recipient::GetMe for Service {
    async fn get_me(
        &self,
        _: lockers::recipient::get_me::Request,
    ) -> Result<lockers::recipient::get_me::Success, lockers::recipient::get_me::Error> {
        unreachable!()
    }
}

impl lockers::finder::GetStation for Service {
    async fn get_station(
        &self,
        _: lockers::finder::get_station::Request,
    ) -> Result<lockers::finder::get_station::Success, lockers::finder::get_station::Error> {
        unreachable!()
    }
}
