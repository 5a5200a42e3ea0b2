import Foundation
import Model
import Testing
import Workbench

/// People read labels and not codes: in documents, in workbooks with their lists, in findings, and at the terminal, in
/// the language of each system's office. Formats for programs have codes, and are not looked at.
@Suite struct WordTests {
    /// What has a code in it and is right, by system, with the reason.
    private static let exceptions = [
        "ingeplus": ["BORRADOR – no válido": "the banner of pages that are not final"],
        "interrapidisimo": ["SERVIDOR": "the code of a project, which a kind of source has too"],
    ]

    private static let projects = [
        "ingeplus": "code FROM projects", "anagrafica": "name FROM projects", "interrapidisimo": "code FROM sources",
        "mesync": "email FROM users",
        "yaquedamos": "code FROM communities",
    ]

    /// What may not be read, of one system in one language.
    private struct Codes {
        /// Codes that no text has as a word of its own: in capitals, with a line below, or of another language.
        var words: Set<String> = []
        /// Codes that no cell and no choice of a list is.
        var cells: Set<String> = []
        let exceptions: [String]

        init(_ system: String, in language: Language) throws {
            exceptions = WordTests.exceptions[system].map { Array($0.keys) } ?? []
            let pack = try ShippedPack.named(system)
            for vocabulary in pack.vocabularies {
                for value in vocabulary.values { add(value, vocabulary.word(for: value, pack.texts, in: language)) }
            }
            for entity in pack.entities {
                add(entity.name, pack.texts.text(entity.textKey, in: language))
                for field in entity.fields { add(field.name, pack.texts.text(entity.textKey(of: field), in: language)) }
            }
            // A value of one vocabulary may be a label of another.
            let labels = Set(
                pack.vocabularies.flatMap { vocabulary in
                    vocabulary.values.map { vocabulary.word(for: $0, pack.texts, in: language) }
                })
            words.subtract(labels)
            cells.subtract(labels)
        }

        private mutating func add(_ code: String, _ label: String) {
            guard code != label else { return }
            cells.insert(code)
            let isPlain = code.allSatisfy { $0.isLowercase || $0 == " " }
            let isOfLabel = Self.folded(label).split { !$0.isLetter }.contains(Substring(Self.folded(code)))
            if !isPlain || !isOfLabel { words.insert(code) }
        }

        private static func folded(_ text: String) -> String {
            text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }

        /// The codes that stand in a text as words of their own.
        func found(in text: String) -> Set<String> {
            let marks = CharacterSet(charactersIn: ".,;:()[]{}«»“”\"'¿?¡!")
            let rest = exceptions.reduce(text) { $0.replacing($1, with: "") }
            return words.intersection(
                rest.split(whereSeparator: \.isWhitespace).map { $0.trimmingCharacters(in: marks) })
        }
    }

    private static func language(of system: String) -> Language { system == "anagrafica" ? .italian : .spanish }

    private static func expectNone(_ texts: [(name: String, text: String)], _ codes: Codes) {
        for (name, text) in texts {
            let found = codes.found(in: text)
            let lines = text.split(separator: "\n").filter { line in
                !found.isDisjoint(with: codes.found(in: String(line)))
            }
            #expect(found.isEmpty, "\(name): \(found.sorted()) in\n\(lines.prefix(6).joined(separator: "\n"))")
        }
    }

    // MARK: What is read

    @Test(arguments: ProjectFolder.systems) func pagesHaveNoCode(_ system: String) throws {
        let codes = try Codes(system, in: Self.language(of: system))
        let documents = (DocumentGoldenTests.documents + DocumentGoldenTests.extremes).filter { $0.system == system }
        let pages = try documents.flatMap { try $0.make() }.map { name, pdf in
            (name, try ProgramRun.program("/usr/bin/pdftotext", ["-layout", pdf, "-"]).output)
        }
        #expect(pages.allSatisfy { $0.1.count > 100 })
        Self.expectNone(pages, codes)
    }

    @Test(arguments: ProjectFolder.systems) func workbooksHaveNoCode(_ system: String) throws {
        let codes = try Codes(system, in: Self.language(of: system))
        let books = try PageFaultTests.documents("xlsx", of: system) + Self.exports(of: system)
        let lists = [codes.cells.sorted(), codes.words.sorted(), codes.exceptions].map { $0.joined(separator: "\n") }
        let read = try Reading.python(Self.cells, lists.joined(separator: "\n\n"), books.joined(separator: "\n"))
        #expect(read.status == 0 && read.output.isEmpty, "\(read.output)\(read.error)")
    }

    /// Every workbook that the exports make of a project.
    private static func exports(of system: String) throws -> [String] {
        let made = try Scene.shared("workbooks of " + system) { folder in
            let office = try Office(system: system)
            let project = try #require(
                office.sql("SELECT \(projects[system] ?? "") ORDER BY 1").split(separator: "\n").first)
            for export in try ShippedPack.named(system).exports where export.offered.contains(.xlsx) {
                let run = try office.run([
                    "export", export.name, "--project", String(project), "--format", "xlsx", "--lang",
                    language(of: system).rawValue, "--allow-empty", "--fail-on",
                    "never", "-o", folder.file(export.name),
                ])
                guard run.status == 0 else { throw Trouble(run) }
            }
        }
        return try FileManager.default.subpathsOfDirectory(atPath: made.path).filter { $0.hasSuffix(".xlsx") }.sorted()
            .map(made.file)
    }

    private struct Trouble: Error, CustomStringConvertible {
        var description: String
        init(_ run: ProgramRun) { description = run.output + run.error }
    }

    /// Prints each cell and each choice that is a code or has one as a word, once a sheet.
    private static let cells = """
        import sys, warnings, openpyxl
        warnings.simplefilter('ignore')
        cells, words, exceptions = [set(filter(None, part.split('\\n'))) for part in sys.argv[1].split('\\n\\n')]
        for path in sys.argv[2].split('\\n'):
            book = openpyxl.load_workbook(path)
            for sheet in book:
                told = set()
                def tell(place, text):
                    if text not in told: print('%s %s %s: %s' % (path.split('/')[-1], sheet.title, place, text))
                    told.add(text)
                for row in sheet.iter_rows():
                    for cell in row:
                        if not isinstance(cell.value, str): continue
                        text = cell.value
                        for exception in exceptions: text = text.replace(exception, '')
                        found = {word.strip('.,;:()[]{}«»“”"\\'¿?¡!') for word in text.split()} & words
                        if text in cells or found: tell(cell.coordinate, cell.value[:80])
                for rule in sheet.data_validations.dataValidation:
                    for choice in (rule.formula1 or '').strip('"').split(','):
                        if choice in cells: tell('list', choice)
        """

    @Test(arguments: ProjectFolder.systems) func findingsHaveNoCode(_ system: String) throws {
        let language = Self.language(of: system), office = try Office(system: system)
        let run = try office.run(
            "validate", "--lang", language.rawValue, "--fail-on", "never", "--report", "findings.html")
        #expect(run.status == 0, "\(run.error)")
        let page = try String(contentsOfFile: office.path("findings.html"), encoding: .utf8)
        let shown = page.replacing(/<(style|script)[\s\S]*?<\/(style|script)>/, with: "").replacing(
            /<[^>]*>/, with: " ")
        Self.expectNone([("findings", shown), ("validate", run.output)], try Codes(system, in: language))
    }

    @Test(arguments: ProjectFolder.systems) func theTerminalHasNoCode(_ system: String) throws {
        let language = Self.language(of: system), office = try Office(system: system)
        let commands = [
            "status", "history", "history runs", "history exports", "history activity", "conflicts list --all",
            "users list", "rejects list",
        ]
        let told = try commands.map { command in
            let run = try office.run(
                command.split(separator: " ").map(String.init) + [
                    "--lang", language.rawValue, "--actor", Office.administrator,
                ])
            #expect(run.status == 0, "\(command): \(run.error)")
            return (command, run.output)
        }
        Self.expectNone(told, try Codes(system, in: language))
    }
}
