// Appends a signature (PAdES) with a person's key to a PDF, and verifies the signatures of a PDF.
// It uses OpenSSL, qpdf's reader and servers of time stamps, and knows neither files nor the
// replica.
//
// - `SigningIdentity`  the signer: a key, its certificate and the issuers' certificates
// - `DocumentSigning`  a PDF → the update with its signature
// - `SignatureStamp`   how a page shows the signature
// - `SignatureReader` a PDF → its signatures, each with the results of its verification
// - `SigningFailure`   reason why a document cannot be signed or read
