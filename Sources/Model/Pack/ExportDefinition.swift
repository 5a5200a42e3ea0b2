/// A set of data files for machines and people: sheets, columns, order and formats. Text:
/// `export.NAME`.
package struct ExportDefinition: Sendable, Hashable {
    package var name: String
    /// The kind of record that is selected. `ExportSheet.rows` defines which rows each sheet has.
    package var record: String
    /// The formats that are made by default, and those that are made only on request.
    package var formats: [ExportFormat]
    package var onRequest: [ExportFormat] = []
    package var sheets: [ExportSheet]
    /// The treatment of records with errors, unless the run gives another.
    package var policy: FindingsPolicy = .withholdRecords
    /// Whether it delivers records: it may then mark them, and contains only approved records.
    package var delivers = false
    /// The condition on the project under which the files are final; otherwise they are marked as
    /// drafts.
    package var finalWhen: Expression?
    /// Whether each field is shown as its `Anonymity` requires, so that no row reveals a person.
    package var isAnonymous = false
    /// The other exports and files that this one packs into one ZIP; then `sheets` is empty.
    package var bundle: Bundle?

    /// Every format that may be requested.
    package var offered: [ExportFormat] { formats + onRequest }

    /// Whether its queries use the days of the selection, as in `ReportDefinition.asksForDays`.
    package var asksForDays: Bool { sheets.contains { $0.query.map { ReportParameters.asksForDays($0.sql) } ?? false } }

    package struct Bundle: Sendable, Hashable {
        package var exports: [String]
        package var formats: [ExportFormat]
        /// The entity with the photos and its field with the unchanged file name.
        package var photoEntity: String?
        package var photoName: String?
    }
}

extension ExportDefinition {
    /// Reads an export of `exports/*.yaml`.
    package init?(_ node: PackNode, of pack: Pack) {
        guard let name = node.text("export"), let record = node.text("record") else { return nil }
        self.init(
            name: name, record: record, formats: node.words("formats"), onRequest: node.words("onRequest"),
            sheets: node.items("sheets").compactMap { ExportSheet($0, of: pack) },
            policy: node.word("policy") ?? .withholdRecords,
            delivers: node.isTrue("delivers"), finalWhen: node.expression("finalWhen"),
            isAnonymous: node.isTrue("anonymous"), bundle: node["bundle"].map(Bundle.init))
    }
}

extension ExportDefinition.Bundle {
    init(_ node: PackNode) {
        self.init(
            exports: node.texts("exports"), formats: node.words("formats"), photoEntity: node["photos"]?.text("entity"),
            photoName: node["photos"]?.text("name"))
    }
}

/// The names of formats, in packs and on the command line. `Exporting` declares the writer of each.
package enum ExportFormat: String, Sendable, CaseIterable, Codable {
    case xlsx
    case csv
    case xml
    case json
    case geojson
    case ics
    case sqlite
    case pdf
    case zip

    /// Whether people read the file, and so need labels; the others are for programs, which need codes.
    package func isForPeople(in dialect: CSVDialect) -> Bool { self == .xlsx || self == .csv && dialect.isForExcel }

    /// Whether an export's sheets make it; the others are made from pages, or from other files.
    package var isOfSheets: Bool { self != .pdf && self != .zip }

    /// The key without which a file of this format would be empty: of the pack's record or of one of
    /// the export's sheets; nil: it needs none.
    package var neededKey: String? {
        switch self {
        case .ics: "calendar"
        case .geojson: "place"
        default: nil
        }
    }

    /// The type by which servers and browsers know its files (IANA's media types).
    package var mediaType: String {
        switch self {
        case .xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        case .csv: "text/csv"
        case .ics: "text/calendar"
        case .geojson: "application/geo+json"
        case .sqlite: "application/vnd.sqlite3"
        case .xml, .json, .pdf, .zip: "application/" + rawValue
        }
    }
}

/// The treatment of records that have findings of severity error: the records are left out, no file
/// is made, or the records are marked.
package enum FindingsPolicy: String, Sendable, CaseIterable, Codable {
    case withholdRecords = "withhold-records"
    case withholdFile = "withhold-file"
    case mark
}

/// One table of an export: a sheet in a workbook, a CSV file, a list of elements in XML. Text:
/// `sheet.EXPORT.NAME`.
package struct ExportSheet: Sendable, Hashable {
    package var name: String
    /// The entity of the rows; empty if `query` returns them.
    package var entity: String
    /// The SQL query that returns the rows; nil: the rows are those of the entity.
    package var query: Query?
    /// Which rows the sheet has.
    package var rows: Rows
    /// The path from the sheet's entity to the rows that get a sheet each (`type_id.family_id`), or
    /// to a text with one sheet for each value. The sheet's title includes that row's `eachName`,
    /// or the value, by its label if a vocabulary has it.
    package var forEach: FieldPath?
    package var eachName: String?
    package var columns: [ExportColumn]
    package var order: [FieldPath]
    /// Those of `order` that sort in descending order.
    package var descending: Set<FieldPath> = []
    /// The columns that make calendar entries of the rows; nil: calendars leave the sheet out.
    package var calendar: CalendarColumns?
    /// Decides which rows are left out because their group has too few people.
    package var suppression: Suppression?

    /// One SELECT over the tables that the actor sees, with the columns that the sheet uses.
    package struct Query: Sendable, Hashable {
        package var sql: String
        package var columns: [QueryColumn]
    }

    package enum Rows: String, Sendable, Codable, CaseIterable {
        /// Rows of the record's root or parts that are selected.
        case record
        /// Rows that selected rows refer to, directly or over further references (projects, rooms,
        /// types).
        case referenced
        /// Every visible row of the project.
        case project
    }

    package init(
        name: String, entity: String, rows: Rows = .record, forEach: FieldPath? = nil, eachName: String? = nil,
        columns: [ExportColumn], order: [FieldPath]
    ) {
        self.name = name
        self.entity = entity
        self.rows = rows
        self.forEach = forEach
        self.eachName = eachName
        self.columns = columns
        self.order = order
    }
}

extension ExportSheet {
    package init?(_ node: PackNode, of pack: Pack) {
        guard let name = node.text("sheet"), node["entity"] != nil || node["sql"] != nil else { return nil }
        let order = node.items("order").compactMap { item in
            (item.text ?? item.text("field")).map { (path: FieldPath($0), runsDown: item.isTrue("descending")) }
        }
        self.init(
            name: name, entity: node.text("entity") ?? "", rows: node.word("rows") ?? .record,
            forEach: node.path("forEach"),
            eachName: node.text("eachName"), columns: Self.columns(node, of: pack), order: order.map(\.path))
        query = node.text("sql").map {
            Query(sql: $0, columns: node.pairs("columns").map { QueryColumn($0, of: pack) })
        }
        descending = Set(order.filter(\.runsDown).map(\.path))
        calendar = node["calendar"].flatMap(CalendarColumns.init)
        suppression = node["suppress"].flatMap(Suppression.init)
    }

    /// The listed columns, or all fields of the entity that may leave the replica.
    private static func columns(_ node: PackNode, of pack: Pack) -> [ExportColumn] {
        guard node.text("columns") == allColumns else { return node.items("columns").compactMap(ExportColumn.init) }
        let fields = node.text("entity").flatMap { pack.entity($0) }?.fields ?? []
        return fields.filter { $0.privacy != pack.privacyClasses.last || pack.privacyClasses.count == 1 }.map {
            .field(FieldPath(parts: [$0.name]), name: $0.name, label: nil, isLink: false)
        }
    }

    /// The word that means all columns.
    package static let allColumns = "all"
}

/// A column of an export's sheet, or several made from a schema.
package enum ExportColumn: Sendable, Hashable {
    /// A field reached over references. `name` is the column's machine name in CSV and XML; `label`
    /// is the key of its text (by default the field's own); `isLink` makes it a hyperlink in a
    /// workbook.
    case field(FieldPath, name: String, label: String?, isLink: Bool)
    /// A stored sequential number (`Numbering`).
    case number(numbering: String, name: String, label: String?)
    /// One column for each parameter with the given scope in the schema of the `forEach` row. The
    /// values are in the JSON at `values`.
    case parameters(values: FieldPath, scope: String)
    /// The number of rows of another entity whose references lead to the row, or whose ids are in
    /// the row's list field.
    case count(of: String, by: FieldPath, name: String, label: String?)
}

extension ExportColumn {
    /// A field by its path alone, or an object.
    package init?(_ node: PackNode) {
        let label = node.text("label")
        if let field = node.text ?? node.text("field") {
            self = .field(
                FieldPath(field), name: node.text("name") ?? Self.defaultName(field), label: label,
                isLink: node.isTrue("link"))
        } else if let number = node.text("number") {
            self = .number(numbering: number, name: node.text("name") ?? number, label: label)
        } else if let count = node.text("count"), let by = node.path("by"), let name = node.text("name") {
            self = .count(of: count, by: by, name: name, label: label)
        } else if let parameters = node.path("parameters"), let scope = node.text("scope") {
            self = .parameters(values: parameters, scope: scope)
        } else {
            return nil
        }
    }

    /// The column's machine name; nil for the columns of a schema, whose names depend on the data.
    package var name: String? {
        switch self {
        case .field(_, let name, _, _), .number(_, let name, _), .count(_, _, let name, _): name
        case .parameters: nil
        }
    }

    private static func defaultName(_ path: String) -> String {
        path.split(separator: ".").last.map(String.init) ?? path
    }
}

/// The rule by which a sheet leaves out rows of groups with too few people: k-anonymity over the
/// columns that together might reveal a person.
package struct Suppression: Sendable, Hashable {
    /// The columns of the sheet that together might reveal a person, as the sheet shows them.
    package var by: [String]
    /// The column that distinguishes people.
    package var of: String
    /// Groups with fewer people are left out.
    package var below: Int
}

extension Suppression {
    init?(_ node: PackNode) {
        guard let of = node.text("of"), let below = node.integer("below") else { return nil }
        self.init(by: node.texts("by"), of: of, below: below)
    }
}

/// The columns of a sheet that make its rows entries of a calendar (RFC 5545), by the columns'
/// machine names.
package struct CalendarColumns: Sendable, Hashable {
    package enum Component: String, Sendable, CaseIterable {
        /// Something that takes place: VEVENT.
        case event
        /// Something to be done: VTODO.
        case todo
    }

    /// A number of minutes: the same for every row, or from a column.
    package enum Minutes: Sendable, Hashable {
        case fixed(Int)
        case column(String)

        init(_ text: String) { self = Int(text).map(Self.fixed) ?? .column(text) }
    }

    package var component: Component
    /// The identifier that stays the same from file to file.
    package var uid: String
    package var summary: String
    /// A day or an instant. An event without one is left out.
    package var start: String?
    /// The time of day at which it starts, on the office's date of `start`: a local time, which
    /// every calendar shows unchanged.
    package var time: String?
    /// The instant at which it ends, or its last day.
    package var end: String?
    package var minutes: Minutes?
    /// The instant or day by which it is to be done.
    package var due: String?
    /// The instant of completion, and that of cancellation.
    package var done: String?
    package var cancelled: String?
    /// The rule of its repetition (`FREQ=WEEKLY;BYDAY=MO`).
    package var repeats: String?
    /// Minutes before the start, or before the due date.
    package var alarm: Minutes?
    package var latitude: String?
    package var longitude: String?
    /// The instant of the last change.
    package var changed: String?
    /// 1, the highest, to 9.
    package var priority: String?
    /// Texts that are written unchanged, by their property.
    package var description: String?
    package var location: String?
    package var categories: String?
}

extension CalendarColumns {
    package init?(_ node: PackNode) {
        guard let uid = node.text("uid"), let summary = node.text("summary") else { return nil }
        self.init(
            component: node.word("as") ?? .event, uid: uid, summary: summary, start: node.text("start"),
            time: node.text("time"), end: node.text("end"),
            minutes: node.text("minutes").map(Minutes.init), due: node.text("due"), done: node.text("done"),
            cancelled: node.text("cancelled"),
            repeats: node.text("repeats"), alarm: node.text("alarm").map(Minutes.init), latitude: node.text("latitude"),
            longitude: node.text("longitude"), changed: node.text("changed"), priority: node.text("priority"),
            description: node.text("description"),
            location: node.text("location"), categories: node.text("categories"))
    }
}
