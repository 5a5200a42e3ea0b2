internal import Foundation
internal import Model

/// Runs the programs of mdbtools on one file, with limits.
struct AccessPrograms {
    let path: String
    let encoding: String
    let limits: ProgramLimits
    /// The folders to search for mdbtools, like `PATH`.
    let search: String
    /// The limit `tables`.
    let mostTables: Int

    /// The most columns that an Access table can have.
    static let mostColumns = 255
    /// The longest list of names or definition of a table, in bytes.
    private static let longestAnswer = 4 << 20
    /// A byte that occurs in no table's name.
    private static let separator = "\u{1E}"

    func start(_ name: String, _ arguments: [String]) throws -> BoundedProgram {
        do {
            // A path or a table's name that begins with a dash would be parsed as an option.
            let absolute = URL(fileURLWithPath: path).path
            return try BoundedProgram(
                name, arguments.map { $0 == Self.file ? absolute : $0 }, search: search, limits: limits,
                environment: ["MDB_JET3_CHARSET=\(encoding)", "MDBICONV=UTF-8"])
        } catch {
            throw failure(error, name)
        }
    }

    /// A placeholder in arguments, which is replaced by the file's path.
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

    /// A program's whole output about the file.
    private func text(_ name: String, _ arguments: [String], table: String? = nil) throws -> String {
        let program = try start(name, arguments)
        do {
            return String(decoding: try program.all(limit: Self.longestAnswer), as: UTF8.self)
        } catch {
            // Names and columns of intact databases are far shorter than this limit.
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

    /// The columns whose values Access computes, with the number of their result's type. mdbtools
    /// prints their stored values as zeros and wrong letters.
    func calculatedColumns(of table: String) throws -> [String: Int] {
        let properties: String
        do {
            properties = try text("mdb-prop", ["--", Self.file, table], table: table)
        } catch let failure as TableFailure where failure.code == "TABLE-DAMAGED" {
            // A table without properties has no calculated column.
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

    /// Linked tables, stored in other files or in a database server.
    func linkedTables() throws -> [String] {
        let entries = try text("mdb-tables", ["-d", Self.separator, "-T", "-t", "any", "--", Self.file]).split(
            separator: "\u{1E}")
        let objects = entries.compactMap { entry -> (type: Substring, name: String)? in
            let parts = entry.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? (parts[0], parts[1].trimmingCharacters(in: .whitespaces)) : nil
        }
        // mdbtools prints type 4 for reports and for tables of a server; the list of objects
        // distinguishes them.
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

    /// The number of rows that the table's definition states.
    func statedRows(of table: String) throws -> Int? {
        Int(
            try text("mdb-count", ["--", Self.file, table], table: table).trimmingCharacters(
                in: .whitespacesAndNewlines))
    }

    func export(_ table: String) throws -> BoundedProgram {
        // Bytes are printed as hexadecimal, so that they can be counted; all dates have one form.
        try start(
            "mdb-export",
            ["-H", "-B", "-b", "hex", "-D", "%Y-%m-%dT%H:%M:%S", "-T", "%Y-%m-%dT%H:%M:%S", "--", Self.file, table])
    }
}
