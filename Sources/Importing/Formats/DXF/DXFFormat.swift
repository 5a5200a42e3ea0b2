import Foundation
package import Model

/// A floor plan as an ASCII DXF drawing with the layers that the pack names; see `Docs/survey-package.md`. It belongs
/// to the project that its user names. A room that breaks a rule goes to the quarantine; a drawing in which places have no meaning
/// (no level, no North) gives findings and no rows.
package enum DXFFormat: SourceFormat {
    package static let kind = "dxf"

    package static func recognises(_ location: SourceLocation) -> Bool {
        guard !location.isDirectory else { return false }
        return isBinary(location.head) || isDWG(location.head) || isText(location.head)
    }

    private static func isBinary(_ head: [UInt8]) -> Bool { head.starts(with: Array("AutoCAD Binary DXF".utf8)) }

    /// `AC1015`, with the version's number.
    private static func isDWG(_ head: [UInt8]) -> Bool {
        head.count > 6 && head.starts(with: Array("AC1".utf8)) && head[3..<6].allSatisfy { (48...57).contains($0) }
    }

    /// The first group that is no comment begins a section.
    private static func isText(_ head: [UInt8]) -> Bool {
        var lines = String(decoding: head, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { $0.filter { !$0.isWhitespace } }[...]
        while lines.first == "999" { lines = lines.dropFirst(2) }
        return lines.first == "0" && lines.dropFirst().first == "SECTION"
    }

    package static func open(_ location: SourceLocation, pack: Pack) throws -> any Source {
        let path = location.url.path
        if isBinary(location.head) { throw PackageFailure.drawingKind(path: path, kind: "binary DXF") }
        if isDWG(location.head) { throw PackageFailure.drawingKind(path: path, kind: "DWG") }
        guard let plans = pack.plans, let layers = plans.layers else { throw ImportFailure.noPlans(path: path, pack: pack.name) }
        guard let project = location.options.projectID else { throw PackageFailure.drawingProject(path: path) }
        let drawing = try DXFDrawing(path: path, source: try FileStream(path: path), layers: layers, limits: location.options.limits)
        let plan = FloorPlan(drawing, heights: plans.heights, file: path)
        return DrawingSource(plan, drawing.tally, rows: PlanRows(pack: pack, plans: plans, projectID: project, file: path))
    }
}

/// A drawing's levels and rooms, or what is to be corrected in it.
final class DrawingSource: Source {
    let tables: [SourceTable]
    let photos: [SourcePhoto] = []
    let findings: [Finding]
    let countable: [CountableFile]
    let uses: [ColumnUse]

    init(_ plan: FloorPlan, _ tally: DXFTally, rows: PlanRows) {
        countable = [CountableFile(path: rows.file, kind: DXFFormat.kind, given: { tally.given })]
        uses = tally.uses(of: rows.file)
        guard plan.isUsable else {
            findings = plan.everything
            tables = []
            return
        }
        findings = plan.findings
        let made = [(rows.plans.levels.entity, rows.levels(plan.levels)), (rows.plans.rooms.entity, rows.rooms(plan.levels, homeless: plan.homeless))]
        tables = made.map { entity, made in SourceTable(made: made, of: entity, file: made.first?.file ?? "", pack: rows.pack) }
    }
}
