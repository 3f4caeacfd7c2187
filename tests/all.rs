//! The tests of the contract as one program: handwritten tests that need a scenario, the sources or an edited contract, and the
//! mutants of the contract. (Probes are tried by the program `generated`.)

mod documents;
mod evolution;
mod foreign;
mod histories;
mod mcp;
mod mocked;
mod mutants;
mod network;
mod scenarios;
mod sources;
mod verifier;
mod world;
