internal import Foundation
internal import Model

/// Runs the programs of mdbtools on one file, with limits.
struct AccessPrograms {
    let path: String
    let encoding: String
    let limits: ProgramLimits
    let search: String
    /// The limit `tables`.
    let mostTables: Int

    /// The largest number of columns in an Access table.
    static let mostColumns = 255
    /// The largest size of a list of names, or of a table's definition, in bytes.
    private static let longestAnswer = 4 << 20
    /// A byte that occurs in no name.
    private static let separator = "\u{1E}"

    func start(_ name: String, _ arguments: [String]) throws -> BoundedProgram {
        do {
            // A path that begins with a dash would be taken for an option, and so would a table's
            // name.
            let absolute = URL(fileURLWithPath: path).path
            return try BoundedProgram(
                name, arguments.map { $0 == Self.file ? absolute : $0 }, search: search, limits: limits,
                environment: ["MDB_JET3_CHARSET=\(encoding)", "MDBICONV=UTF-8"])
        } catch {
            throw failure(error, name)
        }
    }

    static let file = "\u{1E}file"

    func failure(_ fault: ProgramFault, _ name: String, table: String? = nil) -> TableFailure {
        switch fault {
        case .notFound(let missing):
            .needs(
                path: path, kind: AccessFile.kind,
                what: missing == "prlimit" ? "prlimit (util-linux)" : "\(missing) (mdbtools)")
        case .tooMuchOutput: tooLarge("accessOutputBytes \(limits.output)", table)
        case .outOfMemory: tooLarge("accessMemoryBytes \(limits.memory)", table)
        case .outOfTime: tooLarge("accessSeconds \(limits.processorSeconds)", table)
        case .silent: tooLarge("accessSilentSeconds \(limits.silentSeconds)", table)
        default: .damaged(Place(file: path, sheet: table), kind: AccessFile.kind, reason: fault.reason(name))
        }
    }

    private func tooLarge(_ limit: String, _ table: String?) -> TableFailure {
        .tooLarge(Place(file: path, sheet: table), kind: AccessFile.kind, limit: limit)
    }

    /// The whole output of a program about the file.
    private func text(_ name: String, _ arguments: [String], table: String? = nil) throws -> String {
        let program = try start(name, arguments)
        do {
            return String(decoding: try program.all(limit: Self.longestAnswer), as: UTF8.self)
        } catch {
            // Names and columns of intact databases are far shorter, whatever the limits.
            if case .tooMuchOutput = error, limits.output > Self.longestAnswer {
                throw TableFailure.damaged(
                    Place(file: path, sheet: table), kind: AccessFile.kind,
                    reason: "\(name) prints more than \(Self.longestAnswer) bytes")
            }
            throw failure(error, name, table: table)
        }
    }

    func tableNames() throws -> [String] {
        let names = try text("mdb-tables", ["-d", Self.separator, "-t", "table", "--", Self.file])
            .split(separator: "\u{1E}").map { $0.trimmingCharacters(in: .newlines) }.filter { !$0.isEmpty }
        guard names.count <= mostTables else {
            throw TableFailure.tooLarge(
                Place(file: path), kind: AccessFile.kind, limit: "tables \(mostTables)", found: String(names.count))
        }
        return names
    }

    /// The columns with their types, from the definition that `mdb-schema` writes.
    func columns(of table: String) throws -> [AccessColumn] {
        let schema = try text(
            "mdb-schema",
            [
                "-T", table, "--no-indexes", "--no-relations", "--no-default-values", "--no-not-null", "--no-comments",
                "--", Self.file,
            ], table: table)
        let columns = schema.split(separator: "\n").filter { $0.hasPrefix("\t[") }.compactMap(AccessColumn.init(line:))
        guard !columns.isEmpty, columns.count <= Self.mostColumns else {
            throw TableFailure.damaged(
                Place(file: path, sheet: table), kind: AccessFile.kind,
                reason: "table \(table) has \(columns.count) columns")
        }
        return columns
    }

    /// The columns whose values Access computes, with the number of their result's type. Their stored
    /// values have a special form, which mdbtools prints as zeros and wrong letters.
    func calculatedColumns(of table: String) throws -> [String: Int] {
        let properties: String
        do {
            properties = try text("mdb-prop", ["--", Self.file, table], table: table)
        } catch TableFailure.damaged {
            // A table without properties has no computed column.
            return [:]
        }
        var calculated: Set<String> = []
        var results: [String: Int] = [:]
        var name = ""
        for line in properties.split(separator: "\n") {
            if line.hasPrefix("name: ") { name = String(line.dropFirst(6)) }
            if line.hasPrefix("\tExpression: ") { calculated.insert(name) }
            if line.hasPrefix("\tResultType: ") { results[name] = Int(line.dropFirst(13)) }
        }
        return Dictionary(uniqueKeysWithValues: calculated.map { ($0, results[$0] ?? 0) })
    }

    /// Linked tables, which lie in other files or in a database server.
    func linkedTables() throws -> [String] {
        let entries = try text("mdb-tables", ["-d", Self.separator, "-T", "-t", "any", "--", Self.file]).split(
            separator: "\u{1E}")
        let objects = entries.compactMap { entry -> (type: Substring, name: String)? in
            let parts = entry.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? (parts[0], parts[1].trimmingCharacters(in: .whitespaces)) : nil
        }
        // mdbtools prints the same type (4) for reports as for tables of a server: the list of
        // objects itself distinguishes them.
        let servers = objects.contains { $0.type == "4" } ? try serverTables() : []
        return objects.filter { $0.type == "6" || ($0.type == "4" && servers.contains($0.name)) }.map(\.name)
    }

    /// Tables of a database server (ODBC), by their type in the list of objects.
    private func serverTables() throws -> Set<String> {
        let list = "MSysObjects"
        let columns = try columns(of: list)
        guard let name = columns.firstIndex(where: { $0.name == "Name" }),
            let type = columns.firstIndex(where: { $0.name == "Type" })
        else { return [] }
        let rows = try AccessRows(programs: self, table: list, columns: columns, lost: AccessLostCharacters(path: path))
        var batch = ForeignBatch()
        var names: Set<String> = []
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return names }
            for row in 0..<batch.rowCount where batch.string(row, type) == "4" {
                names.insert(batch.string(row, name) ?? "")
            }
        }
    }

    /// The number of rows in the table's definition.
    func statedRows(of table: String) throws -> Int? {
        Int(
            try text("mdb-count", ["--", Self.file, table], table: table).trimmingCharacters(
                in: .whitespacesAndNewlines))
    }

    func export(_ table: String) throws -> BoundedProgram {
        // Bytes are printed as hexadecimal, so that they can be counted; all dates in one form.
        try start(
            "mdb-export",
            ["-H", "-B", "-b", "hex", "-D", "%Y-%m-%dT%H:%M:%S", "-T", "%Y-%m-%dT%H:%M:%S", "--", Self.file, table])
    }
}
