//! `nginx.conf`.

use super::balancer::Place;
use super::*;

fn start(fleet: &Fleet) -> Balancer {
    let place = Place::new();
    let nodes = fleet.addresses();
    let [http, https] = [place.http, place.https].map(|port| format!("listen 127.0.0.1:{port}"));
    let server = shipped(
        "nginx.conf",
        &[
            ("/etc/nginx/hitode.crt", &place.path("cert.pem")),
            ("/etc/nginx/hitode.key", &place.path("key.pem")),
            ("listen 80", &http),
            ("listen 443", &https),
            ("10.0.0.11:8080", &nodes[0]),
            ("10.0.0.12:8080", &nodes[1]),
            // A machine that is off.
            ("10.0.0.13:8080", "127.0.0.1:9"),
        ],
    );
    std::fs::write(place.path("hitode.conf"), server).expect("written");
    // What Debian's nginx.conf has around it, in the directory of the test.
    let directory = place.path("");
    let temporary =
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|kind| format!("{kind}_temp_path {kind};\n"));
    let configuration = format!(
        "daemon off; pid pid; error_log stderr; events {{}} http {{ access_log off; {} include hitode.conf; }}",
        temporary.concat()
    );
    place.start(&["nginx", "-p", &directory, "-e", "stderr", "-c"], &configuration)
}

#[test]
fn nodes_behind_nginx_share_the_work_and_one_that_is_killed_is_not_missed() {
    // As nginx.conf says: without `--proxies`.
    let fleet = Fleet::start("nginx", &["--connections-per-address", "1000"]);
    let balancer = start(&fleet);
    check_nodes(fleet, &balancer);
}
