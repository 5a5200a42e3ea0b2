extension ProgramTables {
    static let names = creation.compactMap { $0.hasPrefix("CREATE TABLE ") ? String($0.dropFirst(13).prefix { $0 != " " }) : nil }

    /// Those that were added after version 1.
    static let laterNames = Set(names).subtracting(["fichero_replica", "pipeline_runs", "run_outputs", "imports", "rejects", "export_numbers"])

    /// The statements that create one of these tables and its indexes in a replica of an older
    /// version.
    static func creation(of name: String) -> [String] {
        creation.filter { $0.hasPrefix("CREATE TABLE \(name) ") || $0.contains(" ON \(name) (") }
    }
}
