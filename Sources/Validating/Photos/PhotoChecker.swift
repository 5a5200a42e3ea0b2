import Coordinates
import Foundation
import Model
import Photos

/// Checks a rule of the kind `photo`: reads the rows once and opens each photo once.
struct PhotoChecker {
    private let plan: PhotoPlan
    private let folder: PhotoFolder
    private let zone: TimeZone
    private let writer: FindingWriter
    private let source: any ValidationSource
    private let quotation: Quotation
    private let grid = UTMGrid()

    init(
        _ plan: PhotoPlan, pack: Pack, folder: PhotoFolder, timeZone: TimeZone, source: any ValidationSource,
        writer: FindingWriter
    ) {
        self.source = source
        self.plan = plan
        self.folder = folder
        zone = timeZone
        self.writer = writer
        quotation = Quotation(pack: pack)
    }

    /// Checks the rows. `progress` gets the number of checked rows after every hundred.
    func run(_ rows: any RowSource, progress: (Int) -> Void) throws {
        var machine = ExpressionMachine()
        var batch = RowBatch(columnCount: rows.columnCount)
        var count = 0
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return }
            for row in 0..<batch.rowCount {
                if let when = plan.when,
                    machine.truth(of: when, cells: batch.cells, at: row * batch.columnCount, text: batch.text) != .yes
                {
                    continue
                }
                try judge(batch, row)
                count += 1
                if count % 100 == 0 { progress(count) }
            }
        }
    }

    /// The stamp recorded for a file that could not be read; no real file has this stamp.
    private static let failed = "failed"

    private func judge(_ batch: borrowing RowBatch, _ row: Int) throws {
        guard let file = try read(batch, row) else { return }
        if let column = plan.bytes, let recorded = Self.number(batch, row, column), recorded != Double(file.count) {
            try add(
                "PHOTO-SIZE", batch, row, column,
                [
                    "recorded": quotation.quote(batch, row, column.index, of: column.field) ?? "",
                    "found": String(file.count),
                ])
        }
        if let column = plan.sha256, let recorded = batch.string(row, column.index),
            recorded.lowercased() != file.sha256
        {
            try add("PHOTO-CHECKSUM", batch, row, column)
        }
        guard let picture = file.picture else { return try add("PHOTO-NOT-JPEG", batch, row, plan.file) }
        if !picture.isComplete { try add("PHOTO-TRUNCATED", batch, row, plan.file, ["bytes": String(file.count)]) }
        if let limit = plan.check.longestSide, max(picture.width, picture.height) > limit {
            try add(
                "PHOTO-TOO-LARGE", batch, row, plan.file,
                ["width": String(picture.width), "height": String(picture.height), "maximum": String(limit)])
        }
        try judgeTime(picture.camera, batch, row)
        try judgePlace(picture.camera, batch, row)
    }

    /// The row's file; nil after a finding that it cannot be read.
    private func read(_ batch: borrowing RowBatch, _ row: Int) throws -> PhotoFile? {
        let path = batch.string(row, plan.file.index) ?? ""
        // The stamp is read before the file. A file that changes meanwhile is then checked again by
        // the next validation.
        var stamp = folder.stamp(of: path)
        let outcome = folder.read(path)
        // A disk error proves nothing about the file, so this file is checked again too.
        if case .failed = outcome { stamp = Self.failed }
        if let id = batch.description(row, 0) { try source.noteFile(row: id, path: path, stamp: stamp) }
        switch outcome {
        case .read(let file): return file
        case .missing: try add("PHOTO-FILE-MISSING", batch, row, plan.file)
        case .unreadable, .failed:
            let limit = String(PhotoFolder.maximumBytes >> 20)
            try add("PHOTO-UNREADABLE", batch, row, plan.file, ["limit": limit])
        }
        return nil
    }

    /// Compares the time at which the camera took the photo with the recorded time.
    private func judgeTime(_ camera: CameraData, _ batch: borrowing RowBatch, _ row: Int) throws {
        guard let column = plan.time, let taken = camera.taken,
            let recorded = batch.string(row, column.index).flatMap(Timestamp.parse)
        else { return }
        let exposure = taken.instant(in: zone)
        guard abs(exposure.timeIntervalSince(recorded)) > Double(plan.check.timeTolerance) else { return }
        try add(
            "PHOTO-TIME", batch, row, column,
            [
                "recorded": quotation.quote(batch, row, column.index, of: column.field) ?? "",
                "found": quotation.quote(Timestamp.format(exposure), of: column.field),
            ])
    }

    /// Compares the place at which the camera took the photo with the recorded place.
    private func judgePlace(_ camera: CameraData, _ batch: borrowing RowBatch, _ row: Int) throws {
        guard let latitude = camera.latitude, let longitude = camera.longitude,
            let seen = GeographicPosition(latitude: latitude, longitude: longitude), let recorded = place(batch, row)
        else { return }
        let distance = seen.distance(to: recorded)
        guard distance > Double(plan.check.reach) else { return }
        try add(
            "PHOTO-PLACE", batch, row, plan.place.first,
            ["distance": String(Int(distance.rounded())), "maximum": String(plan.check.reach)])
    }

    private func add(
        _ code: String, _ batch: borrowing RowBatch, _ row: Int, _ column: PhotoPlan.Column?,
        _ arguments: [String: String] = [:]
    ) throws {
        // A finding is not more severe than the rule.
        let severity = min(FindingCatalogue.severity(of: code), plan.rule.severity)
        try writer.add(
            code, severity: severity, entity: plan.entity, id: batch.description(row, 0),
            field: column?.local ?? plan.rule.field, arguments: arguments)
    }

    /// The recorded place; nil if it is missing, or on a datum that cannot be compared.
    private func place(_ batch: borrowing RowBatch, _ row: Int) -> GeographicPosition? {
        switch plan.check.place {
        case nil:
            return nil
        case .degrees:
            guard let latitude = Self.number(batch, row, plan.place[0]),
                let longitude = Self.number(batch, row, plan.place[1])
            else { return nil }
            return GeographicPosition(latitude: latitude, longitude: longitude)
        case .grid:
            guard let easting = Self.number(batch, row, plan.place[0]),
                let northing = Self.number(batch, row, plan.place[1]),
                let zone = batch.string(row, plan.place[2].index).flatMap({ UTMZone($0) })
            else { return nil }
            if plan.place.count > 3, batch.string(row, plan.place[3].index) != RecordKind.Place.worldDatum {
                return nil
            }
            return grid.position(easting: easting, northing: northing, zone: zone)
        }
    }

    private static func number(_ batch: borrowing RowBatch, _ row: Int, _ column: PhotoPlan.Column) -> Double? {
        let cell = batch.cell(row, column.index)
        switch cell.kind {
        case .integer: return Double(cell.integer)
        case .real: return cell.real
        case .null, .text: return nil
        }
    }
}

/// A rule of the kind `photo` with the columns that it reads.
struct PhotoPlan {
    struct Column {
        /// The position among the rows' columns; column 0 is the id.
        var index: Int
        var field: Field?
        /// The field's name if it belongs to the row itself.
        var local: String?
    }

    var reach: CheckReach {
        CheckReach(
            rule.code, entity: entity.name, kind: .rows(paths: paths), opensFiles: true,
            asksForToday: rule.when?.asksForToday == true)
    }

    let rule: Rule
    let check: PhotoCheck
    let entity: Entity
    /// Columns 1… of the rows.
    private(set) var paths: [FieldPath] = []
    /// The columns of the facts in `check`; nil: a fact is not compared.
    let file: Column
    let bytes: Column?
    let sha256: Column?
    let time: Column?
    let place: [Column]
    let when: ExpressionProgram?

    /// Nil when the rule needs a field that the actor may not see.
    init?(_ rule: Rule, _ check: PhotoCheck, pack: Pack, source: any ValidationSource) throws(ValidatingError) {
        guard let entity = pack.entity(rule.entity) else { throw .unknownName(owner: rule.code, name: rule.entity) }
        let needed = check.paths + (rule.when?.fieldPaths ?? [])
        for path in needed {
            if source.isHidden(path, from: entity, in: pack) { return nil }
            guard pack.field(at: path, from: entity) != nil else {
                throw .unknownName(owner: rule.code, name: path.description)
            }
        }
        var paths: [FieldPath] = []
        for path in needed where !paths.contains(path) { paths.append(path) }
        func column(_ path: FieldPath) -> Column {
            Column(
                index: (paths.firstIndex(of: path) ?? 0) + 1, field: pack.field(at: path, from: entity),
                local: path.isLocal ? path.parts.last : nil)
        }
        self.rule = rule
        self.check = check
        self.entity = entity
        file = column(check.file)
        bytes = check.bytes.map(column)
        sha256 = check.sha256.map(column)
        time = check.time.map(column)
        place = check.place.map { ($0.paths + [$0.datum].compactMap(\.self)).map(column) } ?? []
        do {
            when = try rule.when.map { condition throws(ExpressionProgram.UnknownPath) in
                try ExpressionProgram(condition, over: entity, of: pack, by: source) { path in
                    paths.firstIndex(of: path).map { $0 + 1 }
                }
            }
        } catch {
            throw .unknownName(owner: rule.code, name: error.path.description)
        }
        self.paths = paths
    }
}
