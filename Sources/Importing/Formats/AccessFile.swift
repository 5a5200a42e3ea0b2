internal import Foundation
package import Model

/// A database of Microsoft Access (Jet 3 and 4, ACE), read by mdbtools in separate processes. Their
/// time and memory are limited, because damaged files can make libmdb run for ever.
///
/// Only the tables that users see are listed, without system tables and queries. Findings report
/// linked tables stored in other files, and columns of types that mdbtools reads wrongly or not at
/// all. The cells of such columns become error cells.
package final class AccessFile: TableFormat, TableFile {
    package static let kind = "access"
    package static let bounds = ReadingBound.of(ProgramLimits.self)
    package private(set) var tables: [ForeignTable] = []
    package private(set) var findings: [Finding] = []

    /// Checks whether a file's first bytes are those of an Access database.
    package static func recognises(_ head: [UInt8]) -> Bool {
        guard head.count >= 19, head.starts(with: [0, 1, 0, 0]) else { return false }
        let name = String(decoding: head[4..<19], as: UTF8.self)
        return name == "Standard Jet DB" || name == "Standard ACE DB"
    }

    package static func recognises(_ head: FileHead) -> Bool { recognises(head.bytes) }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try AccessFile(
            path: head.path, encoding: options.encoding?.rawValue ?? "CP1252", limits: ProgramLimits(options.limits),
            mostTables: options.limits.tables)
    }

    /// Opens the database. `encoding` is the code page of texts of Jet 3 (Access 97 and before),
    /// which the file does not declare. `search` lists the folders to search for mdbtools, like
    /// `PATH`.
    package init(
        path: String, encoding: String = "CP1252", limits: ProgramLimits = ProgramLimits(),
        mostTables: Int = TableLimits().tables,
        search: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    ) throws {
        let head = try FileBytes(path).read(at: 0, 4096)
        // Since Access 2007, the first page of a database with a password describes its encryption.
        if head.starts(with: [0, 1, 0, 0]),
            String(decoding: head, as: UTF8.self).contains("http://schemas.microsoft.com/office/2006/encryption")
        {
            throw TableFailure.encrypted(path: path, kind: Self.kind)
        }
        let programs = AccessPrograms(
            path: path, encoding: encoding, limits: limits, search: search, mostTables: mostTables)
        let lost = try AccessLostCharacters(path: path)
        for name in try programs.tableNames() {
            var columns = try programs.columns(of: name)
            let stated = try programs.statedRows(of: name)
            let results = try programs.calculatedColumns(of: name)
            let isStored = try !results.isEmpty && AccessCalculated(path: path, table: name, statedRows: stated) != nil
            for index in columns.indices {
                guard let number = results[columns[index].name] else { continue }
                let result = isStored ? AccessResult(rawValue: number) : nil
                columns[index].content = result.map { .calculated($0) } ?? .unreadable("calculated column")
            }
            for column in columns {
                guard let type = column.unreadableType else { continue }
                findings.append(Finding(
                    "IMPORT-UNREADABLE-COLUMN", place: Place(file: path, sheet: name),
                    arguments: ["column": column.name, "name": name, "type": type]))
            }
            tables.append(
                ForeignTable(name: name, columns: columns.map(\.name), statedRows: stated) { [columns] in
                    try AccessRows(programs: programs, table: name, columns: columns, lost: lost)
                })
        }
        for name in try programs.linkedTables() {
            findings.append(Finding("IMPORT-LINKED-TABLE", place: Place(file: path), arguments: ["name": name]))
        }
    }
}

extension ProgramLimits: FormatLimits {
    package static let bounds: [FormatBound<ProgramLimits>] = [
        .init("accessSeconds", .seconds, \.processorSeconds, highest: 86_400),
        .init("accessMemoryBytes", .bytes, \.memory),
        .init("accessOutputBytes", .bytes, \.output),
        .init("accessSilentSeconds", .seconds, \.silentSeconds, highest: 86_400),
    ]
}
