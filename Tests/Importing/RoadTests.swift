import Foundation
import Testing
import Workbench

/// A cell passes few files on its way into the replica and out of it. The developers' document
/// lists them.
@Suite struct RoadTests {
    private let root = ProjectFolder.root

    private func sources(_ folder: String) throws -> [(name: String, text: String)] {
        let base = root.appendingPathComponent("Sources/" + folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(".swift") }
        return try names.map { (URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent, try String(contentsOf: base.appendingPathComponent($0), encoding: .utf8)) }
    }

    /// A link of the document to a type or to one of its functions, with file and line.
    private static var link: Regex<(Substring, Substring, Substring?, Substring, Substring)> {
        /\[`([A-Za-z0-9]+)(?:\.([A-Za-z0-9]+))?`\]\(\.\.\/Sources\/([A-Za-z0-9\/+]+)\.swift#L([0-9]+)\)/
    }

    /// Line numbers change often. `FICHERO_UPDATE_GOLDENS=1` writes them again.
    @Test func everyLinkLeadsToTheLineThatItNames() throws {
        let path = root.appendingPathComponent("Docs/architecture.md")
        var text = try String(contentsOf: path, encoding: .utf8)
        let links = text.matches(of: Self.link)
        #expect(links.count >= 24)
        for link in links.reversed() {
            let (_, type, function, file, number) = link.output
            let lines = try String(contentsOf: root.appendingPathComponent("Sources/\(file).swift"), encoding: .utf8).components(separatedBy: "\n")
            let declaration = try function.map { try Regex("\\bfunc \($0)\\b") } ?? Regex("\\b(class|struct|enum|protocol) \(type)\\b")
            #expect(try lines.contains { try $0.contains(Regex("\\b(class|struct|enum|protocol) \(type)\\b")) }, "\(file) has no type \(type)")
            let found = lines.indices.filter { lines[$0].contains(declaration) }.map { $0 + 1 }
            if ProcessInfo.processInfo.environment["FICHERO_UPDATE_GOLDENS"] == "1", let line = found.first {
                text.replaceSubrange(link.range, with: text[link.range].replacing("#L\(number))", with: "#L\(line))"))
            } else {
                #expect(found.contains(Int(number) ?? 0), "\(file) line \(number) is not \(type).\(function ?? ""): \(found)")
            }
        }
        if ProcessInfo.processInfo.environment["FICHERO_UPDATE_GOLDENS"] == "1" { try text.write(to: path, atomically: true, encoding: .utf8) }
    }

    @Test(arguments: [("way in", "DBFRows", "EntityRows"), ("way out", "StatementRows", "OutputFile")])
    func theListedFilesAreFew(_ way: String, _ first: String, _ last: String) throws {
        let text = try String(contentsOf: root.appendingPathComponent("Docs/architecture.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("The files that a cell passes on its \(way)") })
        let listed = section.components(separatedBy: "\n").filter { $0.contains(/^\| [0-9]+ \|/) }.compactMap {
            $0.firstMatch(of: Self.link)?.output.1
        }
        #expect(listed.first.map(String.init) == first && listed.last.map(String.init) == last)
        #expect(listed.count <= 12 && Set(listed).count == listed.count)
    }

    /// The only types that give rows or take bytes on the way out. Long texts have a sheet of their
    /// own, and the XML writer has its own sink.
    @Test func nothingStandsBetweenTheStatementAndTheFile() throws {
        let rows = try sources("Exporting").filter { $0.text.contains(/(class|struct) [A-Za-z]+: RowSource \{/) }.map(\.name)
        #expect(rows.sorted() == ["LongTexts", "PrefetchingRows"])
        let sinks = try (sources("Exporting") + sources("Zipping") + sources("OutputFiles")).filter { file in
            file.text.contains(/(class|struct) [A-Za-z]+(<[^>]*>)?: [^{\n]*(ByteSink|ZipOutput)\b/)
        }.map(\.name)
        #expect(sinks.sorted() == ["OutputFile", "XMLOutput"])
    }

    /// A type that holds rows or a target of its own kind must pass on everything that it does not
    /// handle.
    @Test func nothingStandsBetweenAReaderAndTheStagingArea() throws {
        let between = try sources("Importing").filter { file in
            file.text.contains(/(let|var) [a-z]+: any (ForeignRows|NamedRows|ImportTarget)\b/)
        }.map(\.name).sorted()
        #expect(between == ["EventLog", "MergingTarget"])
        let targets = try (sources("Importing") + sources("Replica") + sources("Pipeline")).filter { $0.text.contains(/class [A-Za-z]+: ImportTarget\b/) }
        #expect(targets.map(\.name).sorted() == ["ImportStaging", "MergingTarget"])
    }

    /// Only one loop converts rows, and only one type makes a value of a cell.
    @Test func thereIsOneLoopAndOneConverter() throws {
        let sources = try sources("Importing")
        #expect(sources.filter { $0.text.contains("ImportedStretch(empty)") }.map(\.name) == ["Importer"])
        // The log of events also converts a value, to compare it with the row that came in.
        #expect(sources.filter { $0.text.contains("values.convert(") }.map(\.name).sorted() == ["CellConverter", "EventLog"])
    }
}
