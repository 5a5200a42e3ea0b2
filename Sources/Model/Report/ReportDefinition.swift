/// A document for people, as `reports/NAME/report.yaml` describes it: queries over the pack's entities, and sections of blocks that
/// show their rows. One description gives pages (PDF) and sheets (XLSX). Texts: `report.NAME.KEY`, from the folder's `es.yaml` ….
package struct ReportDefinition: Sendable, Hashable {
    package var name: String
    /// The kind of record that is selected; queries over its tables give rows of selected records only.
    package var record: String
    package var formats: [ExportFormat]
    /// What happens to records with errors, unless the run says otherwise.
    package var policy: FindingsPolicy
    package var paper: ReportPaper
    package var queries: [ReportQuery]
    package var sections: [ReportSection]
    /// Mustache files of the report's folder by name, with their texts.
    package var pages: [String: String]
    /// Whether a last page says what was selected and what was left out.
    package var statesScope: Bool
    /// Whether it hands records over: only then may it mark them, and then it holds approved ones alone.
    package var delivers: Bool
    /// Exports and reports that this one packs into one ZIP beside the photos, with a cover; nil: a document of its own.
    package var delivery: ReportDelivery?

    package init(
        name: String, record: String, formats: [ExportFormat], policy: FindingsPolicy = .mark, paper: ReportPaper = ReportPaper(),
        queries: [ReportQuery] = [], sections: [ReportSection] = [], pages: [String: String] = [:], statesScope: Bool = true,
        delivers: Bool = false, delivery: ReportDelivery? = nil
    ) {
        self.name = name
        self.record = record
        self.formats = formats
        self.policy = policy
        self.paper = paper
        self.queries = queries
        self.sections = sections
        self.pages = pages
        self.statesScope = statesScope
        self.delivers = delivers
        self.delivery = delivery
    }

    /// Whether its pages say anything of the selected records: some reports are of the project, whatever is selected.
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

    package init(size: Size = .a4, isLandscape: Bool = false, margin: Double = 12) {
        self.size = size
        self.isLandscape = isLandscape
        self.margin = margin
    }
}

/// Rows that blocks show: of an entity, as an export's sheet describes them, or those of a read-only query.
package struct ReportQuery: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        /// Rows of an entity; `of` binds fields to columns of the section's row: `calicata_id` to `id`.
        case rows(ExportSheet, where: Expression?, of: [Binding])
        /// SQL over the tables that the actor sees. `selected (id)` holds the roots of the selected records; `:project`, `:today` and
        /// the columns of the section's row (`:id`) are bound.
        case sql(String)
    }

    package struct Binding: Sendable, Hashable {
        package var field: FieldPath
        /// Column of the section's row.
        package var column: String

        package init(field: FieldPath, column: String) {
            self.field = field
            self.column = column
        }
    }

    package var name: String
    package var source: Source
    /// What the rows consist of, in order; the first column of rows of an entity is `id`.
    package var columns: [ReportColumn]

    package init(name: String, source: Source, columns: [ReportColumn]) {
        self.name = name
        self.source = source
        self.columns = columns
    }

    package func column(_ name: String) -> ReportColumn? { columns.first { $0.name == name } }
}

/// A column of a query's rows, with what people see of it.
package struct ReportColumn: Sendable, Hashable {
    package var name: String
    package var type: FieldType
    /// Decimals shown; nil: as many as the number has.
    package var decimals: Int?
    package var unit: String?
    /// Key of the label's text.
    package var label: String?
    /// Values are shown by the texts of this vocabulary.
    package var vocabulary: String?
    /// Values are shown by the texts `TEXTS.VALUE`, the report's own before the pack's: `entity` names tables.
    package var texts: String?
    /// Whether words of a vocabulary begin with a small letter, as they do within a sentence.
    package var isWithinSentence: Bool

    package init(
        name: String, type: FieldType, decimals: Int? = nil, unit: String? = nil, label: String? = nil, vocabulary: String? = nil,
        texts: String? = nil, isWithinSentence: Bool = false
    ) {
        self.name = name
        self.type = type
        self.decimals = decimals
        self.unit = unit
        self.label = label
        self.vocabulary = vocabulary
        self.texts = texts
        self.isWithinSentence = isWithinSentence
    }
}

/// Pages that begin anew, or a sheet; one for each row of a query when there is `each`.
package struct ReportSection: Sendable, Hashable {
    package var name: String
    /// The query whose rows make a section each; blocks see that row. Without it, blocks see the project's row.
    package var each: String?
    /// The entry in the outline and the sheet's name; `{column}` stands for a value of the row.
    package var title: ReportText
    package var paper: ReportPaper?
    package var blocks: [ReportBlock]

    package init(name: String, each: String? = nil, title: ReportText, paper: ReportPaper? = nil, blocks: [ReportBlock]) {
        self.name = name
        self.each = each
        self.title = title
        self.paper = paper
        self.blocks = blocks
    }
}

/// A text of a report: the key of a text, or a pattern such as `{code} · {title}`; `{column}` stands for a value of the row in both.
/// A part in brackets, `[ · {title}]`, is left out where a column in it has no value.
package struct ReportText: Sendable, Hashable {
    /// As it stands in the template.
    package var source: String

    package init(_ source: String) { self.source = source }

    /// Whether it is no key but a text for every language.
    package var isPattern: Bool { source.contains("{") }
}

/// What goes into the client's package.
package struct ReportDelivery: Sendable, Hashable {
    package var reports: [String]
    package var exports: [String]
    package var photoEntity: String?
    package var photoName: String?

    package init(reports: [String], exports: [String], photoEntity: String? = nil, photoName: String? = nil) {
        self.reports = reports
        self.exports = exports
        self.photoEntity = photoEntity
        self.photoName = photoName
    }
}

extension ReportDefinition {
    /// Whether it says something else tomorrow.
    package var asksForToday: Bool {
        queries.contains { query in
            switch query.source {
            case .sql(let sql): ReportParameters.names(in: sql).contains("today")
            case .rows(_, let condition, _): condition?.asksForToday == true
            }
        }
    }
}
