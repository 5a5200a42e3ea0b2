// Into Signing come the bytes of a PDF and a person's key; out of it come the same bytes with a
// signature after them (PAdES), and what is to be said of the signatures that a PDF has. It knows
// OpenSSL, qpdf's reader and servers of time stamps, and neither files nor the replica.
//
// - `SigningIdentity`  whose signature it is: a key, its certificate and those that vouch for it
// - `DocumentSigning`  a PDF → the update that holds its signature
// - `SignatureStamp`   how a page shows the signature
// - `SignatureReader` a PDF → its signatures, each with what holds of it
// - `SigningFailure`   why something cannot be signed or read
