// Sends requests over HTTP and returns the responses. The code uses libcurl, and knows nothing of
// packs or the replica.
//
// - `WebRequest`    a request to a server
// - `WebAnswer`     the server's response
// - `WebConnection` one connection; every wait has a limit, temporary failures are retried
// - `WebTimeouts`   limits of waiting, number of attempts, and pauses between them
// - `WebFailure`    reason why a server cannot be reached, or its response cannot be used
