import Foundation
import Workbench

@testable import FindingDocuments
@testable import Model

/// Findings in memory as reports take them, with the words of a shipped pack.
final class FindingScene: FindingSource {
    var reported: [PlacedFinding] = []
    var strips: [String: StrataStrip] = [:]
    let pack: Pack

    init(_ reported: [PlacedFinding] = []) throws {
        pack = try ShippedPack.named("ingeplus")
        self.reported = reported
    }

    func forEach(_ body: (PlacedFinding) throws -> Void) throws { try reported.forEach(body) }
    func strip(of finding: Finding) throws -> StrataStrip? { finding.place.id.flatMap { strips[$0] } }

    func text(_ language: Language = .english) -> FindingText { FindingText(pack.texts, in: language) }

    var head: FindingDocumentHead {
        FindingDocumentHead(
            packName: "ingeplus", packVersion: "1.0.0", system: "InGe+", environment: "DEV", environmentBanner: "<DEV>", programVersion: "0.1.0",
            actor: "Ana & Co", asOf: Date(timeIntervalSince1970: 1_764_597_600), madeAt: "2025-12-01 09:00",
            projects: [FindingDocumentHead.Project(code: "P-1", name: "Uno \"1\"")], rows: 7)
    }

    func page(_ language: Language = .english, limits: FindingPage.Limits = .init()) throws -> String {
        var page = ""
        try FindingPage(text(language), head: head, tally: FindingTally(self), limits: limits) { page += $0 }.write(self)
        return page
    }

    func sarif(_ language: Language = .english) throws -> String {
        var text = ""
        try FindingSARIF(self.text(language), head: head, rules: FindingSARIF.Rule.all(of: pack)) { text += $0 }.write(self)
        return text
    }

    static let accepted = Acceptance(reason: "Known <since> May", actor: "jefe@example.pe", acceptedAt: "2025-11-01T00:00:00Z", until: "2026-01-31")

    /// One finding of each severity, the second accepted, the last in a file; values that would
    /// break a page.
    static func everything() throws -> FindingScene {
        let hostile = "</script><img src=x onerror=alert(1)>\"'&\u{2028}\u{202E}\u{7}"
        let scene = try FindingScene([
            PlacedFinding(
                Finding(
                    code: "FIELD-RANGE", severity: .error, place: Place(table: "calicatas", id: "c1", key: "P-1 / C-01", field: "depth_m"),
                    arguments: ["value": hostile, "minimum": "0.1", "maximum": "30", "unit": "m"]), project: "P-1", row: 0),
            PlacedFinding(
                Finding(
                    code: "CORTE-HUECO", severity: .warning, place: Place(table: "calicata_cortes", id: "k2", key: hostile, field: "depth_from_m"),
                    arguments: ["depth_from_m": "1", "previous": "0.8"], acceptance: accepted), project: "P-1", row: 1),
            PlacedFinding(
                Finding(
                    code: "IMPORT-UNKNOWN-FIELD", severity: .note,
                    place: Place(file: "/data/ñ 1.json", sheet: "S", cell: "B2", line: 3, column: 4, pointer: "/rows/3"), arguments: ["name": "x"])),
        ])
        scene.strips["k2"] = StrataStrip(
            title: hostile, unit: "m",
            layers: [.init(id: "k1", from: 0, to: 0.8, label: "GW"), .init(id: "k2", from: 1, to: 1.5, label: "<b>")], total: 1.5, water: 1.2,
            mark: .top(1))
        return scene
    }
}
