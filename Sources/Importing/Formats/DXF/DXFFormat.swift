import Foundation
package import Model

/// A floor plan as an ASCII DXF drawing with the layers that the pack lists; see
/// `Docs/survey-package.md`. It belongs to the project that the user chooses. A room that violates
/// a rule goes to the quarantine. A drawing without usable coordinates (a level or its North is
/// missing) yields findings and no rows.
package enum DXFFormat: SourceFormat {
    package static let kind = "dxf"

    package static func recognises(_ location: SourceLocation) -> Bool {
        guard !location.isDirectory else { return false }
        return isBinary(location.head) || isDWG(location.head) || isText(location.head)
    }

    private static func isBinary(_ head: [UInt8]) -> Bool { head.starts(with: Array("AutoCAD Binary DXF".utf8)) }

    /// Checks whether the file begins with the version mark of a DWG file, such as `AC1015`.
    private static func isDWG(_ head: [UInt8]) -> Bool {
        head.count > 6 && head.starts(with: Array("AC1".utf8)) && head[3..<6].allSatisfy { (48...57).contains($0) }
    }

    /// Checks whether the first group that is not a comment begins a section.
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
        guard let plans = pack.plans, let layers = plans.layers else {
            throw ImportFailure.noPlans(path: path, pack: pack.name)
        }
        guard let project = location.options.projectID else { throw PackageFailure.drawingProject(path: path) }
        let drawing = try DXFDrawing(
            path: path, source: try FileStream(path: path), layers: layers, limits: location.options.limits)
        let plan = FloorPlan(drawing, heights: plans.heights, file: path)
        return DrawingSource(
            plan, drawing.tally, rows: PlanRows(pack: pack, plans: plans, projectID: project, file: path))
    }
}

/// A drawing's levels and rooms, or the findings about what to correct in it.
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
        let made = [
            (rows.plans.levels.entity, rows.levels(plan.levels)),
            (rows.plans.rooms.entity, rows.rooms(plan.levels, homeless: plan.homeless)),
        ]
        tables = made.map { entity, made in
            SourceTable(made: made, of: entity, file: made.first?.file ?? "", pack: rows.pack)
        }
    }
}

/// Counts the entities read from a drawing's sections, by layer and kind, and sums the X
/// coordinates of their vertices. The result is compared with an independent count.
struct DXFTally {
    private struct Section {
        var name: String
        var rows = 0
        var columns: [TableCount.Column] = []
        var places: [String: Int] = [:]
        var uses: [ColumnUse.Column] = []
    }

    private var sections = [Section(name: "ENTITIES"), Section(name: "BLOCKS")]

    /// - Parameter isUsed: whether a plan uses the entity.
    mutating func add(_ entity: DXFEntityBuilder, ofBlock: Bool, isUsed: Bool) {
        guard entity.kind != "SEQEND" else { return }
        let name = entity.layer + " " + entity.kind, section = ofBlock ? 1 : 0
        let place = sections[section].places[name] ?? sections[section].columns.count
        if place == sections[section].columns.count {
            sections[section].places[name] = place
            sections[section].columns.append(TableCount.Column(name: name, numbers: .init()))
            sections[section].uses.append(ColumnUse.Column(name: name))
        }
        sections[section].rows += 1
        sections[section].columns[place].filled += 1
        if isUsed { sections[section].uses[place].read += 1 } else { sections[section].uses[place].left += 1 }
        for x in entity.across { sections[section].columns[place].numbers?.add(x) }
    }

    /// The counts for the comparison with the independent count.
    var given: [TableCount] {
        sections.filter { $0.rows > 0 }.map { TableCount(name: $0.name, rows: $0.rows, columns: $0.columns) }
    }

    func uses(of file: String) -> [ColumnUse] {
        sections.filter { $0.rows > 0 }.map { ColumnUse(file: file, table: $0.name, columns: $0.uses) }
    }
}
