//! A second contract, served: another envelope, credential, base path and error table than Hitode's, by the same
//! compiler and the same support code.

mod app;
mod mounted;
mod observed;
mod served;
