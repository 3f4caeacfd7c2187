//! The handwritten tests of the lockers as one program: those that need a scenario, a surrounding app, an observer, or the
//! contract itself. And the tutorial that leads to such a service.

mod at_once;
mod documents;
mod fail;
mod histories;
mod injected;
mod language;
mod mounted;
mod mutants;
mod observed;
mod outside;
mod scenarios;
mod served;
mod tools;
mod tutorial;
mod world;
