import Model

extension PushFailureClass {
    /// SQLSTATE classes of PostgreSQL 15, appendix A; codes of PostgREST 12.
    init(state: String, message: String) {
        switch state {
        // Row security, missing rights and the guards of states have the same state.
        case "42501": self = message.contains("row-level security") ? .rls : .permission
        case _ where ["22", "23", "42", "PGRST1", "PGRST2"].contains { state.hasPrefix($0) }: self = .schema
        default: self = .sync
        }
    }
}

extension PushOutcome {
    /// The server took the change, and others would not learn of it; it is tried again, and found done.
    static let unmovedVersion = "the server's version of the row (updated_at) did not move with the change"

    /// Why a row that the person sees stayed as it was.
    static func refusedInSilence(_ operation: PushOperation) -> String {
        "the server does not let this person \(operation == .delete ? "delete" : "change") the row"
    }
}
