internal import Foundation

/// A document for readers, described by `reports/NAME/report.yaml`: queries over the pack's
/// entities, and sections of blocks that show their rows. One description produces pages (PDF) and
/// sheets (XLSX). Texts: `report.NAME.KEY`, from the folder's `es.yaml` ….
package struct ReportDefinition: Sendable, Hashable {
    package var name: String
    /// The kind of record that is selected; queries over its tables return only rows of selected
    /// records.
    package var record: String
    package var formats: [ExportFormat]
    /// The treatment of records with errors, unless the run gives another.
    package var policy: FindingsPolicy = .mark
    package var paper: ReportPaper = ReportPaper()
    package var queries: [ReportQuery] = []
    package var sections: [ReportSection] = []
    /// The texts of the Mustache files in the report's folder, by name.
    package var pages: [String: String] = [:]
    /// Whether a last page lists what was selected and what was left out.
    package var statesScope: Bool = true
    /// The machine-readable code on every sheet; nil: there is none.
    package var code: ReportCode?
    /// Whether it delivers records: it may then mark them, and contains only approved records.
    package var delivers: Bool = false
    /// Exports and reports that this one packs into one ZIP with the photos and a cover; nil: it is
    /// an ordinary document.
    package var delivery: ReportDelivery?

    /// Whether its pages are numbered by section, because rows of a query have separate sheets.
    package var numbersBySection: Bool {
        let each = sections.filter { $0.each != nil }
        return !each.isEmpty && each.allSatisfy { $0.begins == .page }
    }

    /// Whether its pages depend on the selected records. Some reports are about the whole project,
    /// whatever is selected.
    package var readsSelection: Bool {
        delivery != nil || queries.contains { query in
            switch query.source {
            case .rows(let sheet, _, _): sheet.rows != .project
            case .sql(let sql): sql.contains("selected")
            }
        }
    }

    package func query(_ name: String) -> ReportQuery? { queries.first { $0.name == name } }
}

extension ReportDefinition {
    /// The name of the query for the project's row, which every report has.
    package static let projectQuery = "project"

    /// Reads a report of `reports/NAME/report.yaml`.
    ///
    /// - Parameters:
    ///   - pack: the pack with its project and entities.
    ///   - pages: Mustache files of all reports by `NAME/file`.
    package init?(_ node: PackNode, of pack: Pack, pages: [String: String]) {
        guard let name = node.text("report"), let record = node.text("record") else { return nil }
        var queries = node.pairs("queries").compactMap { ReportQuery($0, of: pack) }
        if !queries.contains(where: { $0.name == Self.projectQuery }),
            let own = ReportQuery(ofProject: pack, name: Self.projectQuery)
        {
            queries.append(own)
        }
        let own = pages.filter { $0.key.hasPrefix(name + "/") }.map {
            (String($0.key.dropFirst(name.utf8.count + 1)), $0.value)
        }
        self.init(
            name: name, record: record, formats: node.words("formats"), policy: node.word("policy") ?? .mark,
            paper: node["paper"].map(ReportPaper.init) ?? ReportPaper(), queries: queries,
            sections: node.items("sections").compactMap(ReportSection.init),
            pages: Dictionary(own) { first, _ in first },
            statesScope: node.boolean("scope") ?? true, code: node["code"].map(ReportCode.init),
            delivers: node.boolean("delivers") ?? (node["delivery"] != nil),
            delivery: node["delivery"].map(ReportDelivery.init))
    }
}

/// A code for cameras on every sheet. The code leads to the record and to the attached data.
package struct ReportCode: Sendable, Hashable {
    /// The column of the section's row with the revision of the record on the sheet.
    package var revision: String?

    init(_ node: PackNode) { revision = node.text("revision") }
}

/// The paper of a report or section; margins in millimetres.
package struct ReportPaper: Sendable, Hashable {
    package enum Size: String, Sendable, CaseIterable {
        case a4 = "A4", a3 = "A3", letter = "Letter"

        /// Width and height in millimetres, upright.
        package var millimetres: (width: Double, height: Double) {
            switch self {
            case .a4: (210, 297)
            case .a3: (297, 420)
            case .letter: (215.9, 279.4)
            }
        }
    }

    package var size: Size
    package var isLandscape: Bool
    package var margin: Double

    /// The width as the paper lies, in millimetres.
    package var width: Double { isLandscape ? size.millimetres.height : size.millimetres.width }

    package init(size: Size = .a4, isLandscape: Bool = false, margin: Double = 12) {
        self.size = size
        self.isLandscape = isLandscape
        self.margin = margin
    }

    init(_ node: PackNode) {
        self.init(
            size: node.word("size") ?? .a4, isLandscape: node.isTrue("landscape"),
            margin: Double(node.integer("margin") ?? 12))
    }
}

/// Pages or a sheet; one for each row of the query if `each` is set.
package struct ReportSection: Sendable, Hashable {
    package var name: String
    /// The query whose rows get a section each; blocks then see that row. Without it, blocks see
    /// the project's row.
    package var each: String?
    /// A column of that query; it makes one section for each value instead of each row.
    package var forEach: String?
    /// The entry in the outline and the sheet's name; `{column}` is replaced by a value of the row.
    package var title: ReportText
    package var paper: ReportPaper?
    package var begins: ReportBeginning = .page
    package var blocks: [ReportBlock]
}

/// The place on paper where a section begins.
package enum ReportBeginning: String, Sendable, CaseIterable {
    /// On a new page, as a record's sheets do.
    case page
    /// Below the previous section, if it fits there completely; else on a new page.
    case whole
    /// Below the previous section.
    case anywhere
}

extension ReportSection {
    init?(_ node: PackNode) {
        guard let name = node.text("section"), let title = node.reportText("title") else { return nil }
        let each = node.text("each")
        self.init(
            name: name, each: each, forEach: node.text("forEach"), title: title,
            paper: node["paper"].map(ReportPaper.init),
            begins: node.word("begins") ?? (each == nil ? .anywhere : .page),
            blocks: node.items("blocks").compactMap(ReportBlock.init))
    }
}

/// A text of a report: the key of a text, or a pattern such as `{code} · {title}`. In both,
/// `{column}` is replaced by a value of the row. A part in brackets, `[ · {title}]`, is left out
/// if one of its columns has no value.
package struct ReportText: Sendable, Hashable {
    /// The text in the template.
    package var source: String

    package init(_ source: String) { self.source = source }

    /// Whether the text is a pattern for all languages, and not the key of a text.
    package var isPattern: Bool { source.contains("{") }
}

/// The contents of the client's package.
package struct ReportDelivery: Sendable, Hashable {
    package var reports: [String]
    package var exports: [String]
    /// The entity with the photos, and its field with the unchanged file name.
    package var photoEntity: String?
    package var photoName: String?
}

extension ReportDelivery {
    init(_ node: PackNode) {
        self.init(
            reports: node.texts("reports"), exports: node.texts("exports"), photoEntity: node["photos"]?.text("entity"),
            photoName: node["photos"]?.text("name"))
    }
}

extension ReportDefinition {
    /// Whether its queries use the days of the selection. The days are then parameters of the
    /// report, and do not filter records.
    package var asksForDays: Bool {
        queries.contains { query in
            if case .sql(let sql) = query.source { ReportParameters.asksForDays(sql) } else { false }
        }
    }

    /// Whether its contents depend on the date of the run.
    package var asksForToday: Bool {
        queries.contains { query in
            switch query.source {
            case .sql(let sql): ReportParameters.names(in: sql).contains("today")
            case .rows(_, let condition, _): condition?.asksForToday == true
            }
        }
    }
}

/// A block of a report's section, as defined in the template; blocks follow one below the other.
/// The module `Blocks` defines which blocks exist and how each presents rows.
package struct ReportBlock: Sendable, Hashable {
    /// The kind of block: `table`, `log`.
    package var name: String
    /// The block is shown only if this is true of the section's row; nil: always.
    package var when: Expression?
    /// The block's keys and their values.
    package var template: PackNode

    init(_ name: String, when: Expression? = nil, _ template: PackNode) {
        self.name = name
        self.when = when
        self.template = template
    }
}

extension ReportBlock {
    init?(_ node: PackNode) {
        guard let name = node.text("block") else { return nil }
        self.init(name, when: node.expression("when"), node)
    }
}

/// The content of the code on a report's pages: a section, the revision of its record, and the
/// checksum of the attached file with its rows.
package struct DataCode: Sendable, Hashable {
    /// The section's name, with the id of its record if there is one: `pits/ID`.
    package var anchor: String
    package var revision: String?
    package var sha256: String

    package init(anchor: String, revision: String?, sha256: String) {
        (self.anchor, self.revision, self.sha256) = (anchor, revision, sha256)
    }

    /// The name of the attached file: `pits-ID.json`.
    package static func fileName(of anchor: String) -> String {
        anchor.split(separator: "/").map { String($0).percentEncoded() }.joined(separator: "-") + ".json"
    }

    /// `FICHERO:PITS/ID/REV/3/SHA256/…`: capital letters make the smallest code, and represent
    /// lower-case ones. A text whose anchor contains capital letters is not capitalised.
    package var text: String {
        let text =
            Self.start + anchor.percentEncoded(keeping: "/")
            + (revision.map { "/rev/" + $0.percentEncoded(keeping: ":") } ?? "") + "/sha256/" + sha256
        return anchor == anchor.lowercased() ? text.uppercased() : text
    }

    /// Reads the text of a code; nil for any other text.
    package init?(_ text: String) {
        guard text.lowercased().hasPrefix(Self.start) else { return nil }
        let written = text.hasPrefix(Self.start) ? text : text.lowercased()
        var parts = written.dropFirst(Self.start.count).split(separator: "/").compactMap { $0.removingPercentEncoding }
        guard parts.count >= 3, parts[parts.count - 2] == "sha256", let sum = parts.popLast() else { return nil }
        parts.removeLast()
        sha256 = sum
        if parts.count > 2, parts[parts.count - 2] == "rev" {
            revision = parts.popLast()
            parts.removeLast()
        }
        anchor = parts.joined(separator: "/")
    }

    private static let start = "fichero:"
}
