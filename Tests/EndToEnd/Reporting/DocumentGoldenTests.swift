import Foundation
import Testing
import Workbench

/// Compares the pages of every report with pages that a person looked at and approved.
/// `FICHERO_UPDATE_GOLDENS=1` writes them again. Look at them before you commit them.
@Suite struct DocumentGoldenTests {
    struct Document: Sendable, CustomTestStringConvertible {
        var system: String
        var report: String
        /// Of the extreme project, and not of the samples.
        var isExtreme = false
        var testDescription: String { "\(system) \(report)\(isExtreme ? " of extremes" : "")" }
        var name: String { "\(system)-\(report)\(isExtreme ? "-extreme" : "")" }

        /// The project of which the pages are: of a system, or of one of its reports.
        private static let projects = [
            "ingeplus": "CHU-2025", "interrapidisimo": "R-07", "cambios-localidades": "SERVIDOR", "consolidado": "SERVIDOR", "mesync": "carmen@example.pe",
            "yaquedamos": "MED-LAU",
        ]

        func project(in office: Office) throws -> String {
            if system == "anagrafica" { return try office.sql("SELECT name FROM projects ORDER BY name DESC LIMIT 1") }
            return Self.projects[report] ?? Self.projects[system] ?? ""
        }

        /// The PDF files of the document under the names of their goldens. A delivery has a cover
        /// and other documents, which must look as they do alone. They are made once for all tests.
        func make() throws -> [(name: String, pdf: String)] {
            if isExtreme {
                let (office, project) = try ExtremeProject.office(system)
                return [(name, try office.document(report, "pdf", of: project))]
            }
            let office = try Office(system: system), project = try project(in: office)
            guard report == "entrega" else {
                return [(name, try office.document(report, "pdf", of: project, report == "lista-asistentes" ? ["--from", "2025-11-15"] : []))]
            }
            let unpacked = try office.delivery(report, of: project)
            let pages = try FileManager.default.subpathsOfDirectory(atPath: unpacked.path).filter { $0.hasSuffix(".pdf") }.sorted()
            #expect(pages == ["00-caratula.pdf", "documents/cuadro-resumen-ensayos.pdf", "documents/ficha-calicata.pdf"])
            return pages.map { page in
                let name = page.hasPrefix("documents/") ? String(page.dropFirst("documents/".count).dropLast(".pdf".count)) : report
                return ("\(system)-\(name)", unpacked.file(page))
            }
        }
    }

    /// Every report of the packs, for one project of each system.
    static let documents: [Document] = {
        ProjectFolder.systems.flatMap { system -> [Document] in
            let reports = (try? FileManager.default.contentsOfDirectory(atPath: ProgramRun.root + "/Templates/\(system)/reports")) ?? []
            return reports.filter { !$0.hasPrefix(".") }.map { Document(system: system, report: $0) }
        }.sorted { $0.testDescription < $1.testDescription }
    }()

    /// The reports in which an extreme record shows.
    static let extremes = ["ficha-calicata", "perfil-longitudinal", "registro-fotografico", "resumen-proyecto"].map { Document(system: "ingeplus", report: $0, isExtreme: true) }
        + ["inventario", "planimetria", "scheda-locale"].map { Document(system: "anagrafica", report: $0, isExtreme: true) }

    @Test(arguments: documents + extremes) func pagesLookAsApproved(_ document: Document) throws {
        for (name, pdf) in try document.make() {
            guard name == document.name else {
                try expectAsAlone(pdf, name)
                continue
            }
            if PageGoldens.isUpdating { try PageGoldens().update(from: pdf, name: name) }
            let differences = try PageGoldens().differences(of: pdf, name: name)
            #expect(differences.isEmpty, "\(name) looks different; FICHERO_UPDATE_GOLDENS=1 approves it:\n\(differences.joined(separator: "\n"))")
        }
    }

    /// The document in a delivery has only approved records. It must be the same as the document
    /// alone with that selection, whose pages are approved there.
    private func expectAsAlone(_ pdf: String, _ name: String) throws {
        let report = String(name.dropFirst("ingeplus-".count))
        let states = ["APROBADO", "EXPORTADO", "ARCHIVADO"].flatMap { ["--state", $0] }
        let alone = try Office.pits().document(report, "pdf", of: "CHU-2025", states)
        let texts = try [pdf, alone].map { try ProgramRun.program("/usr/bin/pdftotext", ["-bbox", $0, "-"]) }
        #expect(texts.allSatisfy { $0.status == 0 && $0.output.contains("<word") })
        // Of a page that says what is in the document, a delivery's own says what the delivery leaves out.
        let pages = texts.map { text in
            text.output.components(separatedBy: "<page").dropFirst().map { $0.split(separator: "\n").filter { $0.contains("<word") } }
                .prefix { page in !page.contains { $0.contains(">Alcance<") } }
        }
        #expect(pages[0].count > 10 && pages[0] == pages[1], "\(name)")
    }

    @Test(.disabled(if: PageGoldens.isUpdating, "the pages are being written")) func noApprovedPageIsLeftOfAReportThatIsGone() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: PageGoldens.folder)
        let reports = Set(names.filter { $0.hasSuffix(".words.txt") }.map { String($0.dropLast(".words.txt".count)) })
        #expect(reports == Set((Self.documents + Self.extremes).map(\.name)))
        for name in names where name.hasSuffix(".png") {
            let stem = name.dropLast(".png".count)
            #expect(stem.lastIndex(of: "-").map { reports.contains(String(stem[..<$0])) } == true, "\(name)")
        }
    }
}
