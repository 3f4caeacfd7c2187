//! Over HTTP.
