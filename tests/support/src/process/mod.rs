//! A program that runs as a process: `hitode serve`, and what it prints.

mod output;
mod program;

use std::ffi::OsString;
use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use tempfile::TempDir;

use program::program;

pub use output::Output;
pub use program::cargo;

/// Far more than anything takes, even traced on a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// How a process is to be started.
pub struct Launch {
    program: PathBuf,
    data: PathBuf,
    /// The data directory, where nothing else keeps it.
    directory: Option<TempDir>,
    args: Vec<String>,
    variables: Vec<(String, String)>,
    /// The words of a command that starts it, instead of nothing.
    starter: Vec<String>,
    /// The arguments of strace, when it is to run under it.
    strace: Option<Vec<OsString>>,
    /// Whether its standard error is a terminal.
    is_on_terminal: bool,
}

/// A process that has said where it listens.
pub struct Service {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    /// Its data directory.
    pub data: PathBuf,
    _directory: Option<TempDir>,
    /// What it prints on standard output.
    pub out: Output,
    /// What it prints on standard error.
    pub log: Output,
}

/// What a process left behind that has ended.
pub struct Ended {
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// What it printed on standard error.
    pub log: String,
}

impl Launch {
    /// `hitode serve` on the data directory `data`, listening on any free port.
    pub fn on(data: &Path) -> Launch {
        Launch::of(program(), data)
    }

    /// The same on an empty directory, which lasts as long as the process.
    pub fn anywhere() -> Launch {
        let directory = directory();
        let mut launch = Launch::on(directory.path());
        launch.directory = Some(directory);
        launch
    }

    /// On a data directory, by another build of the program.
    pub fn of(program: &Path, data: &Path) -> Launch {
        let args = ["--listen", "127.0.0.1:0"].map(str::to_owned).to_vec();
        Launch {
            program: program.to_owned(),
            data: data.to_owned(),
            directory: None,
            args,
            variables: Vec::new(),
            starter: Vec::new(),
            strace: None,
            is_on_terminal: false,
        }
    }

    /// With its log on a terminal.
    pub fn on_terminal(mut self) -> Launch {
        self.is_on_terminal = true;
        self
    }

    /// With one more argument.
    pub fn arg(mut self, arg: &str) -> Launch {
        self.args.push(arg.to_owned());
        self
    }

    /// Instead of any free port.
    pub fn listen(mut self, address: &str) -> Launch {
        self.args[1] = address.to_owned();
        self
    }

    /// With this variable in its environment, which has no others but `PATH`.
    pub fn variable(mut self, name: &str, value: &str) -> Launch {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// By a command that ends in becoming what it is given, such as `prlimit`.
    pub fn started_by(mut self, words: &[&str]) -> Launch {
        self.starter = words.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    /// Under strace, which writes what touches files and sockets into `file`.
    pub fn traced_into(self, file: &Path) -> Launch {
        let calls = "trace=write,pwrite64,fdatasync,fsync,sendto,writev,openat,close";
        self.under_strace(&["-tt", "-y", "-s", "2097152", "-e", calls], file)
    }

    /// Under strace with these arguments, which writes into `file`.
    pub fn under_strace(mut self, args: &[&str], file: &Path) -> Launch {
        // -D: hitode itself is our child, so that signals reach it.
        let args = ["-D", "-f"].iter().chain(args).chain(&["-o"]).map(OsString::from);
        self.strace = Some(args.chain([file.into()]).collect());
        self
    }

    /// With no more than so many open files.
    pub fn files(self, most: usize) -> Launch {
        let line = format!("ulimit -n {most} && exec \"$0\" \"$@\"");
        self.started_by(&["sh", "-c", &line])
    }

    fn spawn(&self, screen: Option<&File>) -> Child {
        let program = &self.program;
        let mut command = match &self.strace {
            None if !self.starter.is_empty() => {
                let mut starter = Command::new(&self.starter[0]);
                starter.args(&self.starter[1..]).arg(program);
                starter
            }
            None => Command::new(program),
            Some(args) => {
                let mut strace = Command::new("strace");
                strace.args(args).arg(program);
                strace
            }
        };
        command
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.envs(self.variables.iter().cloned());
        command.arg("serve").arg("--data").arg(&self.data).args(&self.args);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(screen.map_or_else(Stdio::piped, |screen| screen.try_clone().expect("a handle").into()));
        command
            .spawn()
            .expect("hitode starts, and strace where it is asked for; tests/run installs it")
    }

    /// Starts it and waits until it listens.
    #[track_caller]
    pub fn start(self) -> Service {
        self.try_start()
            .unwrap_or_else(|ended| panic!("it never listened: {}", ended.log))
    }

    /// Starts it and waits until it listens, or ends without having done so.
    pub fn try_start(self) -> Result<Service, Ended> {
        let screen = self.is_on_terminal.then(terminal);
        let mut child = self.spawn(screen.as_ref().map(|(_, inner)| inner));
        let (out, _) = Output::of(child.stdout.take().expect("piped"));
        let (log, _) = match screen {
            Some((outer, _)) => Output::of(outer),
            None => Output::of(child.stderr.take().expect("piped")),
        };
        let Some(said) = out.wait_for("hitode listens on http://") else {
            let code = wait(&mut child);
            log.wait_for_end();
            return Err(Ended { code, log: log.text() });
        };
        let address = said
            .rsplit('/')
            .next()
            .expect("an address")
            .parse()
            .expect("an address");
        Ok(Service {
            child,
            address,
            data: self.data,
            _directory: self.directory,
            out,
            log,
        })
    }

    /// Starts it, sends it the signal once `part` stands in its log, and waits for its end.
    #[track_caller]
    pub fn run_until(self, part: &str, signal: &str) -> Ended {
        let mut child = self.spawn(None);
        let (log, read) = Output::of(child.stderr.take().expect("piped"));
        let said = log.wait_for(part);
        shell(&format!("kill -{signal} {}", child.id()));
        let code = wait(&mut child);
        read.join().expect("read");
        assert!(said.is_some(), "it never said {part:?}: {}", log.text());
        Ended { code, log: log.text() }
    }

    /// Starts it and waits for its end, which is to come by itself.
    pub fn run_to_its_end(self) -> Ended {
        let mut child = self.spawn(None);
        let (log, read) = Output::of(child.stderr.take().expect("piped"));
        let code = wait(&mut child);
        read.join().expect("read");
        Ended { code, log: log.text() }
    }
}

impl Service {
    /// As a paste into a shell would send it, or a service manager.
    pub fn signal(&self, name: &str) {
        shell(&format!("kill -{name} {}", self.child.id()));
    }

    /// SIGTERM, and then the end.
    #[track_caller]
    pub fn stop(mut self) -> Ended {
        self.signal("TERM");
        self.end()
    }

    /// Waits for its end.
    #[track_caller]
    pub fn end(&mut self) -> Ended {
        let code = wait(&mut self.child);
        self.log.wait_for_end();
        Ended {
            code,
            log: self.log.text(),
        }
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn wait(child: &mut Child) -> Option<i32> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        if begun.elapsed() > DEADLINE {
            let _ = child.kill();
            panic!("the process does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What a shell prints that runs `line`.
#[track_caller]
pub fn shell(line: &str) -> String {
    let done = Command::new("sh").args(["-c", line]).output().expect("a shell");
    assert!(
        done.status.success(),
        "{line}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout).expect("text")
}

/// A directory for one test.
pub fn directory() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// A terminal: the end that a person sees and types at, and the end that a program has.
pub fn terminal() -> (File, File) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let outer = openpt(flags).expect("a terminal");
    unlockpt(&outer).expect("it can be used");
    let inner = ioctl_tiocgptpeer(&outer, flags).expect("it opens");
    (outer.into(), inner.into())
}
