/// What a sync is to do.
struct SyncRequest {
    /// Whether changes and files of this side go there.
    var isSending = true
    /// Whether changes and files of the other side come here.
    var isFetching = true
    /// Whether both sides are compared at the end.
    var isProving = false
    /// Whether every row comes again, to compare its values too.
    var isDeep = false
    /// The folder for the documents of the proof, which are registered; nil: none are written.
    var proofFolder: String?
    /// Whether also what was refused before is tried, although it is not due.
    var isRetrying = false
    var isWithFiles = true
    /// Whether the replica may follow another server than so far.
    var isNewServer = false
}
