internal import Foundation
internal import Model

/// Counts an Access database from the output of `mdb-json`: one object a row, without null members.
/// The reader uses `mdb-export`, so reader and count rely on the same libmdb. Therefore the number
/// of rows is also compared with `mdb-count`.
enum AccessCount: FileCount {
    static let kind = "access"

    private static let separator = "\u{1E}"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let path = URL(fileURLWithPath: file.path).path
        let run = CountingProgram(encoding: options.encoding, isCancelled: file.isCancelled)
        let names = try run.text("mdb-tables", ["-d", separator, "-t", "table", "--", path]).split(
            separator: Character(separator)
        )
            .map { $0.trimmingCharacters(in: .newlines) }.filter { !$0.isEmpty }
        var count = SourceCount(tables: [], columnsByName: true)
        let mostBytes = CountBounds.current.accessOutputBytes
        for name in names {
            do throws(CountFault) {
                var lines = JSONLines(name)
                let columns = try columns(of: name, path, run)
                (lines.table.plainColumns, lines.table.leftOut) = (columns.truths, columns.leftOut)
                var bytes = 0
                var rows = 0
                try run.forEachPiece("mdb-json", ["--", path, name]) { (piece) throws(CountFault) in
                    bytes += piece.count
                    guard bytes <= mostBytes else { throw .tooLarge("accessOutputBytes \(mostBytes)") }
                    for byte in piece {
                        if byte == 0x0A { rows += 1 }
                        try lines.take(byte)
                    }
                }
                try lines.finish()
                count.uncountedColumns[name] = Set(columns.leftOut.map { String(decoding: $0, as: UTF8.self) })
                let stated = Int(
                    try run.text("mdb-count", ["--", path, name]).trimmingCharacters(in: .whitespacesAndNewlines))
                guard stated == nil || stated == rows else {
                    throw .damaged("it says it has \(stated ?? 0) rows, and mdb-json prints \(rows)")
                }
                count.tables.append(try lines.table.count())
            } catch {
                if error == .cancelled { throw error }
                count.uncounted.append(.init(table: name, reason: error.reason))
            }
        }
        return count
    }

    /// Finds the yes/no columns, which are printed as 1 and 0, and the columns that mdbtools omits
    /// or prints wrongly, which no count can confirm.
    private static func columns(
        of table: String, _ path: String, _ run: CountingProgram
    ) throws(CountFault) -> (truths: Set<[UInt8]>, leftOut: Set<[UInt8]>) {
        let schema = try run.text(
            "mdb-schema",
            [
                "-T", table, "--no-indexes", "--no-relations", "--no-default-values", "--no-not-null", "--no-comments",
                "--", path,
            ])
        var (truths, leftOut): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
        for line in schema.split(separator: "\n") where line.hasPrefix("\t[") {
            guard let end = line.range(of: "]\t", options: .backwards) else { continue }
            let name = Array(line.dropFirst(2)[..<end.lowerBound].utf8)
            if line[end.upperBound...].contains("Boolean") { truths.insert(name) }
            if line[end.upperBound...].contains("Unknown_") { leftOut.insert(name) }
        }
        // A table without properties has no calculated column.
        let properties = (try? run.text("mdb-prop", ["--", path, table])) ?? ""
        var name: Substring = ""
        for line in properties.split(separator: "\n") {
            if line.hasPrefix("name: ") {
                name = line.dropFirst(6)
            } else if line.hasPrefix("\tExpression: ") {
                leftOut.insert(Array(name.utf8))
            }
        }
        return (truths, leftOut)
    }
}

/// A program of mdbtools, with limited time and memory, because damaged files can make it run for
/// ever.
private struct CountingProgram {
    let encoding: String
    let isCancelled: @Sendable () -> Bool

    func text(_ name: String, _ arguments: [String]) throws(CountFault) -> String {
        var bytes: [UInt8] = []
        try forEachPiece(name, arguments) { (piece) throws(CountFault) in
            bytes += piece
            guard bytes.count <= 4 << 20 else { throw .tooLarge("bytes that \(name) prints \(4 << 20)") }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func forEachPiece(_ name: String, _ arguments: [String], _ body: ([UInt8]) throws(CountFault) -> Void)
        throws(CountFault)
    {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(
            String.init)
        func program(_ name: String) throws(CountFault) -> String {
            guard let found = folders.map({ $0 + "/" + name }).first(where: FileManager.default.isExecutableFile) else {
                throw .needs(name)
            }
            return found
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try program("prlimit"))
        process.arguments =
            [
                "--cpu=\(CountBounds.current.accessSeconds)", "--as=\(CountBounds.current.accessMemoryBytes)",
                "--core=0", "--", try program(name),
            ] + arguments
        process.environment = ["MDB_JET3_CHARSET": encoding == "utf-8" ? "CP1252" : encoding, "MDBICONV": "UTF-8"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch { throw .needs(name) }
        Interruption.begin(child: process.processIdentifier)
        defer {
            Interruption.end(child: process.processIdentifier)
            if process.isRunning { process.terminate() }
            process.waitUntilExit()
        }
        while true {
            guard !isCancelled() else { throw .cancelled }
            let piece = pipe.fileHandleForReading.availableData
            if piece.isEmpty { break }
            try body(Array(piece))
        }
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw .damaged("\(name) does not come to its end")
        }
    }
}

extension CountBounds {
    var accessSeconds: Int { self["accessSeconds", usually: 60] }
    var accessMemoryBytes: Int { self["accessMemoryBytes", usually: 1 << 30] }
    var accessOutputBytes: Int { self["accessOutputBytes", usually: 4 << 30] }
}
