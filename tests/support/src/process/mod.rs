//! Runs a program as a process: `hitode serve`, and its output.

mod output;
mod program;

use std::ffi::OsString;
use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use tempfile::TempDir;

pub use output::Output;
pub use program::{build, cargo, program};

/// Far more than any step takes, even traced on a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// A process to be started.
pub struct Launch {
    program: PathBuf,
    data: PathBuf,
    /// The data directory, if no other value owns it.
    directory: Option<TempDir>,
    args: Vec<String>,
    variables: Vec<(String, String)>,
    /// The words of a command that starts it; empty for none.
    starter: Vec<String>,
    /// The arguments of strace, if it runs under it.
    strace: Option<Vec<OsString>>,
    /// Whether its standard error is a terminal.
    is_on_terminal: bool,
}

/// A process that has printed its address.
pub struct Service {
    child: Child,
    /// Its address.
    pub address: SocketAddr,
    /// The operator's address, if it is another one.
    pub operator: Option<SocketAddr>,
    /// Its data directory.
    pub data: PathBuf,
    _directory: Option<TempDir>,
    /// What it prints on standard output.
    pub out: Output,
    /// What it prints on standard error.
    pub log: Output,
}

/// A process that has been started.
pub struct Begun {
    child: Child,
    log: Output,
    /// Ends with the log.
    read: JoinHandle<()>,
    _directory: Option<TempDir>,
}

/// The result of an ended process.
pub struct Ended {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What it printed on standard error.
    pub log: String,
}

impl Launch {
    /// `hitode serve` on the data directory `data`, listening on any free port.
    pub fn on(data: &Path) -> Launch {
        Launch::new(program(), data)
    }

    /// The same on an empty directory, which is removed with the process.
    pub fn anywhere() -> Launch {
        let directory = directory();
        let mut launch = Launch::on(directory.path());
        launch.directory = Some(directory);
        launch
    }

    /// Another build of the program, on a data directory.
    pub fn new(program: &Path, data: &Path) -> Launch {
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

    /// Connects its log to a terminal.
    pub fn on_terminal(mut self) -> Launch {
        self.is_on_terminal = true;
        self
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: &str) -> Launch {
        self.args.push(arg.to_owned());
        self
    }

    /// Listens on this address instead of a free port.
    pub fn listen(mut self, address: &str) -> Launch {
        self.args[1] = address.to_owned();
        self
    }

    /// Sets this variable in its environment, which otherwise has only `PATH`.
    pub fn variable(mut self, name: &str, value: &str) -> Launch {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Starts it with a command that executes its arguments, such as `prlimit`.
    pub fn started_by(mut self, words: &[&str]) -> Launch {
        self.starter = words.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    /// Runs it under strace, which writes the calls on files and sockets into `file`.
    pub fn traced_into(self, file: &Path) -> Launch {
        let calls = "trace=write,pwrite64,fdatasync,fsync,sendto,writev,openat,close";
        self.under_strace(&["-tt", "-y", "-s", "2097152", "-e", calls], file)
    }

    /// Runs it under strace with these arguments, which writes into `file`.
    pub fn under_strace(mut self, args: &[&str], file: &Path) -> Launch {
        // -D: hitode itself is the child process, so that signals reach it.
        let args = ["-D", "-f"].iter().chain(args).chain(&["-o"]).map(OsString::from);
        self.strace = Some(args.chain([file.into()]).collect());
        self
    }

    /// Limits its open files.
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

    /// Starts it and waits until it listens, or ends before that.
    pub fn try_start(self) -> Result<Service, Ended> {
        let screen = self.is_on_terminal.then(terminal);
        let mut child = self.spawn(screen.as_ref().map(|(_, inner)| inner));
        let (out, _) = Output::read(child.stdout.take().expect("piped"));
        let (log, _) = match screen {
            Some((outer, _)) => Output::read(outer),
            None => Output::read(child.stderr.take().expect("piped")),
        };
        let Some(line) = out.wait_for(" listens on http://") else {
            let code = wait(&mut child);
            log.wait_for_end();
            return Err(Ended { code, log: log.text() });
        };
        let mut addresses = line.split("http://").skip(1);
        let mut address = || Some(addresses.next()?.split(',').next()?.parse().expect("an address"));
        let (main, operator) = (address().expect("an address"), address());
        Ok(Service {
            child,
            address: main,
            operator,
            data: self.data,
            _directory: self.directory,
            out,
            log,
        })
    }

    /// Starts it, sends it the signal once `part` is in its log, and waits for its end.
    #[track_caller]
    pub fn run_until(self, part: &str, signal: &str) -> Ended {
        let begun = self.begin();
        let line = begun.log.wait_for(part);
        begun.signal(signal);
        let ended = begun.end();
        assert!(line.is_some(), "it never said {part:?}: {}", ended.log);
        ended
    }

    /// Starts it and waits for its end without a signal.
    pub fn run_to_its_end(self) -> Ended {
        self.begin().end()
    }

    /// Starts it without waiting until it listens.
    pub fn begin(self) -> Begun {
        let mut child = self.spawn(None);
        let (log, read) = Output::read(child.stderr.take().expect("piped"));
        Begun {
            child,
            log,
            read,
            _directory: self.directory,
        }
    }
}

impl Begun {
    /// Sends the signal.
    pub fn signal(&self, name: &str) {
        shell(&format!("kill -{name} {}", self.child.id()));
    }

    /// Waits for its end.
    #[track_caller]
    pub fn end(mut self) -> Ended {
        let code = wait(&mut self.child);
        self.read.join().expect("read");
        let log = self.log.text();
        Ended { code, log }
    }
}

impl Service {
    /// Sends the signal with `kill`, like a shell or a service manager.
    pub fn signal(&self, name: &str) {
        shell(&format!("kill -{name} {}", self.child.id()));
    }

    /// Sends SIGTERM and waits for the end.
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

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl From<&Service> for SocketAddr {
    fn from(service: &Service) -> SocketAddr {
        service.address
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

/// The output of a shell that runs `line`.
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

/// The URL of a new database of the tests' PostgreSQL server.
#[track_caller]
pub fn database(name: &str) -> String {
    let server = wanted("HITODE_TEST_POSTGRES");
    shell(&format!("psql {server}/postgres -qc 'CREATE DATABASE {name}'"));
    format!("{server}/{name}")
}

/// The value of a variable that `tests/with-postgres` sets.
#[track_caller]
pub fn wanted(variable: &str) -> String {
    std::env::var(variable).expect("`tests/with-postgres COMMAND` starts a database and runs a command")
}

/// A directory for one test.
pub fn directory() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// A terminal: the end of a person, and the end of a program.
pub fn terminal() -> (File, File) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let outer = openpt(flags).expect("a terminal");
    unlockpt(&outer).expect("it can be used");
    let inner = ioctl_tiocgptpeer(&outer, flags).expect("it opens");
    (outer.into(), inner.into())
}
