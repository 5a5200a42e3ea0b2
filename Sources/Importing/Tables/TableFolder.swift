import Foundation
package import Model

/// A folder of files with tables, as programs of one file a table leave them: a set of FoxPro's, an export as several CSV files.
///
/// Its tables are those of the files directly in it, by alphabet, named by the file, or by file and table where a file has several.
/// Files of no known kind (memos, indexes, pictures) are passed over; links are not followed.
package final class TableFolder: TableFile {
    package static let kind = "folder"
    package let tables: [ForeignTable]
    /// The kind of its files where all are of one; else `folder`.
    package let contentKind: String
    package let findings: [Finding]
    let files: [(path: String, file: any TableFile)]

    package init(path: String, options: TableOptions = TableOptions()) throws {
        let isOwn = options.own.filter(below: path)
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") && !isOwn($0) }.sorted()
        // More files than a file may have tables are no set of tables.
        let most = options.limits.tables
        guard names.count <= most else {
            throw TableFailure.tooLarge(Place(file: path), kind: Self.kind, limit: "tables \(most)", found: String(names.count))
        }
        var found: [ForeignTable] = []
        var files: [(path: String, file: any TableFile)] = []
        var kinds: Set<String> = []
        var findings: [Finding] = []
        for name in names {
            let file = path + "/" + name
            guard try FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType == .typeRegular else { continue }
            let head = try FileHead(path: file)
            guard let kind = options.kinds.first(where: { $0.recognises(head) }) else { continue }
            let opened = try kind.open(head, options)
            kinds.insert(kind.kind)
            files.append((file, opened))
            findings += opened.findings
            for var table in opened.tables {
                if opened.tables.count > 1 { table.name = head.tableName + " " + table.name }
                table.file = file
                found.append(table)
            }
        }
        guard !found.isEmpty else { throw ImportFailure.unknownKind(path: path, known: TableFiles.all.map { $0.kind }) }
        tables = found
        self.files = files
        self.findings = findings
        contentKind = kinds.count == 1 ? kinds.first ?? Self.kind : Self.kind
    }
}
