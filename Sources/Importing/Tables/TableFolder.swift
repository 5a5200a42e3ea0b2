import Foundation
package import Model

/// A folder of files with tables, as written by programs that use one file for each table: a set of
/// FoxPro files, an export as several CSV files.
///
/// Its tables are those of the files directly in it, in alphabetical order. They are named after
/// the file or, if one of several files has several tables, after that file and the table. Files of
/// unknown kinds (memos, indexes, pictures) are skipped; links are not followed.
package final class TableFolder: TableFile {
    package static let kind = "folder"
    package let tables: [ForeignTable]
    /// The common kind of the files; `folder` if they differ.
    package let contentKind: String
    package let findings: [Finding]
    let files: [(path: String, file: any TableFile)]
    package var origin: BookOrigin? { files.lazy.compactMap(\.file.origin).first }

    package init(path: String, options: TableOptions = TableOptions()) throws {
        let names = try FolderNames(path, options: options)
        // The limit on tables of a file also limits the files of a folder.
        let most = options.limits.tables
        guard names.taken.count <= most else {
            throw TableFailure.tooLarge(
                Place(file: path), kind: Self.kind, limit: "tables \(most)", found: String(names.taken.count))
        }
        var found: [ForeignTable] = []
        var files: [(path: String, file: any TableFile)] = []
        var kinds: Set<String> = []
        var findings = names.leftOut.map { Self.leftOut(path + "/" + $0) }
        for name in names.taken {
            let file = path + "/" + name
            guard try FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType == .typeRegular
            else { continue }
            let head = try FileHead(path: file)
            // Pictures and other files without tables would pass for text.
            guard TablelessKind.name(of: head) == nil, let kind = options.kinds.first(where: { $0.recognises(head) })
            else { continue }
            let opened = try kind.open(head, options)
            kinds.insert(kind.kind)
            files.append((file, opened))
            findings += opened.findings
            for var table in opened.tables {
                table.file = file
                found.append(table)
            }
        }
        // If there is only one file, its tables have the same names as without the folder.
        if files.count > 1 {
            let counts = Dictionary(files.map { ($0.path, $0.file.tables.count) }, uniquingKeysWith: max)
            for index in found.indices {
                guard let file = found[index].file, counts[file] ?? 1 > 1 else { continue }
                found[index].name =
                    URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent + " " + found[index].name
            }
        }
        guard !found.isEmpty else { throw ImportFailure.unknownKind(path: path, known: TableFiles.all.map { $0.kind }) }
        tables = found
        self.files = files
        self.findings = findings
        contentKind = kinds.count == 1 ? kinds.first ?? Self.kind : Self.kind
    }

    /// Reports that a file in a folder is left out.
    package static func leftOut(_ path: String) -> Finding {
        Finding("IMPORT-FILE-LEFT-OUT", place: Place(file: path), arguments: ["name": path])
    }
}

/// Reason why a file cannot be read, or not to its end: exit code 65, nothing is imported.
package typealias TableFailure = DeclaredFailure<ForeignTable>

extension TableFailure {
    /// The file is truncated, contradicts itself or is not in its format. The reason is in English,
    /// for the log and the message.
    package static func damaged(_ place: Place, kind: String, reason: String) -> Self {
        Self("TABLE-DAMAGED", .badInput, ["path": place.file ?? "", "kind": kind, "reason": reason], at: place)
    }
    package static func encrypted(path: String, kind: String) -> Self {
        Self("TABLE-ENCRYPTED", .badInput, file: path, ["kind": kind])
    }
    /// The file exceeds a limit on resources. `limit` is its name in `ReadingBound.all` with its
    /// value, `rows 1048576`; `found` is the value in the file, if it has been read so far.
    package static func tooLarge(_ place: Place, kind: String, limit: String, found: String? = nil) -> Self {
        // An exceeded limit is given as `NAME VALUE`.
        let parts = limit.split(separator: " ", maxSplits: 1)
        let value = parts.count > 1 ? String(parts[1]) : ""
        return Self(
            "TABLE-TOO-LARGE", .badInput,
            [
                "path": place.file ?? "", "kind": kind, "limit": limit, "name": String(parts.first ?? ""),
                "value": value, "found": found ?? "> \(value)",
            ], at: place)
    }
    /// A required program or library is not installed.
    package static func needs(path: String, kind: String, what: String) -> Self {
        Self("TABLE-NEEDS", .badInput, file: path, ["kind": kind, "what": what])
    }
    /// A property list that contains a program's objects (NSKeyedArchiver) instead of values.
    package static func keyedArchive(_ place: Place) -> Self {
        Self("TABLE-KEYED-ARCHIVE", .badInput, ["path": place.file ?? ""], at: place)
    }
    /// A table whose memo file is missing; `name` is the common name of both, without extension.
    package static func missingMemo(_ place: Place, name: String) -> Self {
        Self("TABLE-NO-MEMO", .badInput, ["path": place.file ?? "", "name": name], at: place)
    }
}
