internal import Model

/// A workbook of Excel 2007 and later: its archive's directory and zlib, then the bytes of each sheet's `sheetData`. Cells are counted
/// that have a value or a text of their own or point to a shared text that is not blank; numbers are those of the type `n`, days and times
/// among them.
enum XLSXCount: FileCount {
    static let kind = "xlsx"

    private struct Relation {
        var type: String
        var target: String
    }

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let head = try file.read(at: 0, 4)
        guard head != [0xD0, 0xCF, 0x11, 0xE0] else { throw .encrypted }
        let archive = try ArchiveEntries(file)
        guard let book = try relations("", archive).values.first(where: { $0.type.hasSuffix("/officeDocument") })?.target else {
            throw .damaged("the archive holds no workbook")
        }
        let parts = try relations(book, archive)
        var blank = BlankTexts()
        if let texts = parts.values.first(where: { $0.type.hasSuffix("/sharedStrings") })?.target, archive.holds(texts) {
            try TagScan.run(try archive.open(texts), &blank)
        }
        var tables: [TableCount] = []
        let list = SheetList()
        try MarkupStream.read(try archive.bytes(of: book), list)
        for sheet in list.sheets {
            guard let part = parts[sheet.relation], part.type.hasSuffix("/worksheet") else { continue }
            var cells = SheetCells(blank)
            try TagScan.run(try archive.open(part.target), &cells)
            tables.append(cells.counts.table(sheet.name))
        }
        return SourceCount(tables: tables, datesAreNumbers: true)
    }

    /// What the part of a package leads to, by id; the package itself is the part "".
    private static func relations(_ part: String, _ archive: ArchiveEntries) throws(CountFault) -> [String: Relation] {
        var folders = part.split(separator: "/").map(String.init)
        let name = folders.popLast() ?? ""
        let own = (folders + ["_rels", name + ".rels"]).joined(separator: "/")
        guard archive.holds(own) else { return [:] }
        let list = RelationList()
        try MarkupStream.read(try archive.bytes(of: own), list)
        return list.found.mapValues { relation in
            var path = relation.target.hasPrefix("/") ? [] : folders
            for step in relation.target.replacing("\\", with: "/").split(separator: "/") where step != "." {
                if step == ".." { _ = path.popLast() } else { path.append(String(step)) }
            }
            return Relation(type: relation.type, target: path.joined(separator: "/"))
        }
    }

    private final class RelationList: MarkupReceiver {
        var found: [String: Relation] = [:]

        func open(_ element: MarkupElement) {
            guard element.name == "Relationship", let id = element["Id"], let target = element["Target"], element["TargetMode"] != "External" else { return }
            found[id] = Relation(type: element["Type"] ?? "", target: target)
        }
    }

    private final class SheetList: MarkupReceiver {
        var sheets: [(name: String, relation: String)] = []

        func open(_ element: MarkupElement) {
            guard element.name == "sheet", sheets.count < 10_000, let name = element["name"], let relation = element["id"] else { return }
            sheets.append((name, relation))
        }
    }
}
