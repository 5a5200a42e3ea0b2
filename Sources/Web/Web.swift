// Into Web come requests over HTTP; out of it come answers. It knows libcurl, and neither packs nor
// the replica.
//
// - `WebRequest`    what is asked of a server
// - `WebAnswer`     what it answered
// - `WebConnection` one connection; every wait has a bound, what may pass is tried again
// - `WebPatience`   how long to wait, how often to try again, and how long between
// - `WebFailure`    why a server cannot be reached or gives no answer that can be used
