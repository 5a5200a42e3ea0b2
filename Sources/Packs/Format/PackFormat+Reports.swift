internal import Blocks
internal import Model

extension PackFormat {
    static let report = ObjectShape(
        "report",
        "reports/NAME/report.yaml: a document for people. Texts stand beside it in es.yaml, en.yaml, it.yaml.",
        [
            .required("report", .scalar(.title), "The folder's name."),
            .required("record", .scalar(.title), "The kind of record that is selected."),
            .required("formats", .list(.word(["pdf", "xlsx", "zip"]), atLeast: 1), "The formats offered."),
            .optional(
                "policy", .word(of: FindingsPolicy.self), "What happens to records with errors; mark by default."),
            .optional("paper", .object(reportPaper), "The paper; A4 upright by default."),
            .optional("scope", .boolean, "Whether a last page says what was selected and left out; true by default."),
            .optional(
                "code", .object(reportCode),
                "A QR code on every sheet: the record, its revision, the SHA-256 of the attached data; none by default."
            ),
            .optional("queries", .map(.object(reportQuery)), "Rows that blocks show, by name."),
            .optional("sections", .list(.object(reportSection), atLeast: 1), "The pages and sheets in order."),
            .optional(
                "delivers", .boolean,
                """
                Whether it hands records over: it may mark them, and then holds \
                approved ones alone; a delivery does.
                """),
            .optional("delivery", .object(reportDelivery), "Reports, exports and photos in one ZIP."),
        ], exactlyOne: ["sections", "delivery"])

    static let reportCode = ObjectShape(
        "reportCode", "What the code on every sheet says of the record.",
        [.optional("revision", .name, "A column of the section's row, `updated_at` say.")])

    static let reportPaper = ObjectShape(
        "reportPaper", "The paper of a report or section.",
        [
            .optional("size", .word(of: ReportPaper.Size.self), "A4 by default."),
            .optional("landscape", .boolean, "Whether it lies across; false by default."),
            .optional("margin", .integer(5...40), "Margins in millimetres; 12 by default."),
        ])

    static let reportDelivery = ObjectShape(
        "reportDelivery",
        "The client's package: files of other reports and exports, photos, an index with checksums, a cover.",
        [
            .required(
                "reports", .list(.scalar(.title), atLeast: 1),
                "Reports that go in, as PDF or, where they have none, XLSX."),
            .optional("exports", .list(.scalar(.title)), "Exports that go in as workbooks."),
            .optional("photos", .object(photos), "The photos to go along."),
        ])

    static let reportQuery = ObjectShape(
        "reportQuery", "Rows of an entity, or those of a read-only SQL query.",
        [
            .optional("entity", .name, "Whose rows."),
            .optional(
                "sql", .text,
                """
                One SELECT over the pack's tables; `selected (id)` holds the selected records, `left_out (id, reason, \
                detail)` the others, `given_numbers (numbering, id, number)` their numbers; :project, :today, :from, \
                :to, :language and the section's columns (:id) are bound.
                """
            ),
            .optional("rows", .word(of: ExportSheet.Rows.self), "Which rows of the entity; record by default."),
            .optional(
                "fields", .list(.choice(.path, [fieldColumn, numberColumn, countColumn]), atLeast: 1),
                "Columns of the entity's rows beside `id`."),
            .optional("where", .expression, "Condition over the entity."),
            .optional("order", .list(.path), "The order of the rows."),
            .optional("of", .table, "Fields that must equal a column of the section's row: `parent_id: id`."),
            .optional("columns", queryColumns, "Columns of the SQL query with their types."),
        ], exactlyOne: ["entity", "sql"])

    private static let queryTypes = FieldType.allCases.map(\.rawValue)

    /// The columns of an SQL query in a report or an export.
    static let queryColumns = Shape.map(.choice(.word(queryTypes), [queryColumn]))

    static let queryColumn = ObjectShape(
        "queryColumn", "What a column of a SQL query is.",
        [
            .optional("type", .word(queryTypes), "Type of its values."),
            .optional("like", .path, "ENTITY.FIELD whose type, unit, decimals, vocabulary and label it has."),
            .optional("decimals", .integer(0...9), "Decimals shown."),
            .optional("unit", .text, "The unit."),
            .optional("label", .text, "Key of the label's text."),
            .optional("vocabulary", .name, "Values are shown by this vocabulary's texts."),
            .optional(
                "texts", .text,
                """
                Values are shown by the texts `TEXTS.VALUE`, the report's own before the pack's: `entity` names \
                tables.
                """
            ),
            .optional(
                "withinSentence", .boolean,
                "Whether a vocabulary's words begin with a small letter; false by default."),
        ], exactlyOne: ["type", "like"])

    static let reportSection = ObjectShape(
        "reportSection", "Pages, or a sheet; one for each row where there is `each`.",
        [
            .required("section", .name, "Machine name."),
            .optional("each", .name, "The query whose rows make a section each."),
            .optional(
                "forEach", .name,
                """
                A column of that query: one section for each of its values, in the order in which they come; blocks \
                see the first row.
                """
            ),
            .required(
                "title", .text,
                "Key of a text, or a pattern like {code}: the entry in the outline and the sheet's name."),
            .optional("paper", .object(reportPaper), "The section's own paper."),
            .optional(
                "begins", .word(of: ReportBeginning.self),
                """
                Where it begins on paper: on a new page (by default with `each`), below the section before where it \
                fits there whole, or anywhere below it (by default without).
                """
            ),
            .required("blocks", .list(.object(reportBlock), atLeast: 1), "What stands in it, from top to bottom."),
        ])

    /// The module `Blocks` declares the keys of each block.
    static let reportBlock = ObjectShape(
        "reportBlock", "A block of a section.",
        [
            .required("block", .word(BlockList.keys.map(\.name)), "What it is."),
            .optional("when", .expression, "Shown only where this holds of the section's row."),
        ], variants: .init(key: "block", keys: BlockList.keys.map { ($0.name, $0.keys.map(ObjectShape.Key.init)) }))
}

extension PackFormat {
    static let events = ObjectShape(
        "events", "A table whose rows are events, and what follows from them for other tables.",
        [
            .required("entity", .name, "The events' entity."),
            .required("type", .name, of: .field(.text), "Its text with the type of an event."),
            .required(
                "record", .name, of: .field(.textOrID),
                "Its field with the id of the record that an event speaks of."),
            .required("payload", .name, of: .field(.json), "Its json with what an event says."),
            .optional("project", .name, of: .field(.project), "Its reference to the project."),
            .optional("operator", .name, of: .field(.textOrID), "Its text that says who did it."),
            .optional("time", .name, of: .field(.instant), "Its datetime: when, where the id does not tell."),
            .required(
                "tables", .list(.object(eventTable), atLeast: 1), "The tables that events speak of, parents first."),
            .required(
                "types", .list(.object(eventType), atLeast: 1),
                "What events do, in the order in which they apply within a millisecond."),
            .optional("acknowledged", .table, "Values by field of an event that the other side has acknowledged."),
            .optional("files", .object(eventFiles), "The files that events speak of."),
        ], subject: "entity")

    static let eventFiles = ObjectShape(
        "eventFiles", "The table of the files that events speak of, and what says that the other side has one.",
        [
            .required("entity", .name, "The files' entity."),
            .required("values", .table, "Values by field of a file that the other side has."),
            .optional("time", .name, of: .field(.instant), "The datetime: when it got the file."),
        ], subject: "entity")

    static let eventTable = ObjectShape(
        "eventTable", "A table that events speak of, and what a record that they create gets beside the payload.",
        [
            .required("entity", .name, "The records' entity."),
            .optional("project", .name, of: .field(.project), "The field that gets the event's project."),
            .optional("operator", .name, of: .field(.textOrID), "The field that gets the event's operator."),
            .optional("time", .name, of: .field(.instant), "The datetime that gets the time when the record was made."),
            .optional(
                "values", .table, "Values by field that every created record has unless its event says otherwise."),
        ], subject: "entity")

    static let eventType = ObjectShape(
        "eventType", "What the events of a type do.",
        [
            .required("type", .text, "The value of the type's field."),
            .required("entity", .name, "The table of the record; one of `tables`."),
            .required("does", .word(["create", "update", "delete", "set", "link"]), "What they do to it."),
        ],
        variants: .init(
            key: "does",
            keys: [
                ("create", []), ("update", []), ("delete", []),
                (
                    "set",
                    [
                        .required("field", .name, "The field that is set."),
                        .required(
                            "members", .list(.text, atLeast: 1),
                            "Members of the payload with the value; the first that is there counts."),
                    ]
                ),
                (
                    "link",
                    [
                        .required("list", .name, "The list field that a record is put on."),
                        .required(
                            "owner", .list(.text, atLeast: 1),
                            "Members of the payload with the id of the row whose list it is."),
                        .optional(
                            "item", .list(.text, atLeast: 1),
                            "Members with the id of what is put on it; else the event's own record."),
                        .optional(
                            "others", .map(.list(.text, atLeast: 1)),
                            "By entity, members that name an owner elsewhere, which must be known."),
                    ]
                ),
            ]))
}
