internal import Model

extension PackFormat {
    static let report = ObjectShape(
        "report", "reports/NAME/report.yaml: a document for people. Texts stand beside it in es.yaml, en.yaml, it.yaml.",
        [
            .required("report", .scalar(.title), "The folder's name."),
            .required("record", .scalar(.title), "The kind of record that is selected."),
            .required("formats", .list(.word(["pdf", "xlsx", "zip"]), atLeast: 1), "The formats offered."),
            .optional("policy", .word(of: FindingsPolicy.self), "What happens to records with errors; mark by default."),
            .optional("paper", .object(reportPaper), "The paper; A4 upright by default."),
            .optional("scope", .boolean, "Whether a last page says what was selected and left out; true by default."),
            .optional("queries", .map(.object(reportQuery)), "Rows that blocks show, by name."),
            .optional("sections", .list(.object(reportSection), atLeast: 1), "The pages and sheets in order."),
            .optional("delivers", .boolean, "Whether it hands records over: it may mark them, and then holds approved ones alone; a delivery does."),
            .optional("delivery", .object(reportDelivery), "Reports, exports and photos in one ZIP."),
        ], exactlyOne: ["sections", "delivery"])

    static let reportPaper = ObjectShape(
        "reportPaper", "The paper of a report or section.",
        [
            .optional("size", .word(of: ReportPaper.Size.self), "A4 by default."),
            .optional("landscape", .boolean, "Whether it lies across; false by default."),
            .optional("margin", .integer(5...40), "Margins in millimetres; 12 by default."),
        ])

    static let reportDelivery = ObjectShape(
        "reportDelivery", "The client's package: files of other reports and exports, photos, an index with checksums, a cover.",
        [
            .required("reports", .list(.scalar(.title), atLeast: 1), "Reports that go in, as PDF or, where they have none, XLSX."),
            .optional("exports", .list(.scalar(.title)), "Exports that go in as workbooks."),
            .optional("photos", .object(photos), "The photos to go along."),
        ])

    static let reportQuery = ObjectShape(
        "reportQuery", "Rows of an entity, or those of a read-only SQL query.",
        [
            .optional("entity", .name, "Whose rows."),
            .optional("sql", .text, "One SELECT over the pack's tables; `selected (id)` holds the selected records, `given_numbers (numbering, id, number)` their numbers; :project, :today, :language and the section's columns (:id) are bound."),
            .optional("rows", .word(of: ExportSheet.Rows.self), "Which rows of the entity; record by default."),
            .optional(
                "fields", .list(.choice(.path, [fieldColumn, numberColumn, countColumn]), atLeast: 1),
                "Columns of the entity's rows beside `id`."),
            .optional("where", .expression, "Condition over the entity."),
            .optional("order", .list(.path), "The order of the rows."),
            .optional("of", .table, "Fields that must equal a column of the section's row: `parent_id: id`."),
            .optional("columns", .map(.choice(.word(reportTypes), [reportColumn])), "Columns of the SQL query with their types."),
        ], exactlyOne: ["entity", "sql"])

    private static let reportTypes = FieldType.allCases.map(\.rawValue)

    static let reportColumn = ObjectShape(
        "reportColumn", "What a column of a SQL query is.",
        [
            .optional("type", .word(reportTypes), "Type of its values."),
            .optional("like", .path, "ENTITY.FIELD whose type, unit, decimals, vocabulary and label it has."),
            .optional("decimals", .integer(0...9), "Decimals shown."),
            .optional("unit", .text, "The unit."),
            .optional("label", .text, "Key of the label's text."),
            .optional("vocabulary", .name, "Values are shown by this vocabulary's texts."),
            .optional("texts", .text, "Values are shown by the texts `TEXTS.VALUE`, the report's own before the pack's: `entity` names tables."),
            .optional("withinSentence", .boolean, "Whether a vocabulary's words begin with a small letter; false by default."),
        ], exactlyOne: ["type", "like"])

    static let reportSection = ObjectShape(
        "reportSection", "Pages that begin anew, or a sheet; one for each row where there is `each`.",
        [
            .required("section", .name, "Machine name."),
            .optional("each", .name, "The query whose rows make a section each."),
            .required("title", .text, "Key of a text, or a pattern like {code}: the entry in the outline and the sheet's name."),
            .optional("paper", .object(reportPaper), "The section's own paper."),
            .required("blocks", .list(.object(reportBlock), atLeast: 1), "What stands in it, from top to bottom."),
        ])

    static let reportBlock = ObjectShape(
        "reportBlock", "A block of a section.",
        [
            .required("block", .word(reportBlocks.map(\.value)), "What it is."),
            .optional("when", .expression, "Shown only where this holds of the section's row."),
        ], variants: .init(key: "block", keys: reportBlocks))

    private static let title = ObjectShape.Key.optional("title", .text, "Key of a text, or a pattern.")
    private static let query = ObjectShape.Key.required("query", .name, "The query whose rows are shown.")
    private static let empty = ObjectShape.Key.optional("empty", .text, "Text that stands where there are no rows.")
    private static let height = ObjectShape.Key.optional("height", .integer(5...400), "Height in millimetres.")
    private static let layers: [ObjectShape.Key] = [
        .required("from", .name, "Column with the depth of a layer's top, in metres."),
        .required("to", .name, "Column with the depth of a layer's bottom."),
        .required("symbol", .name, "Column with the layer's symbol."),
    ]
    private static let pit: [ObjectShape.Key] = [
        .optional("total", .name, "The section's column with the whole depth."),
        .optional("water", .name, "The section's column with the depth of water."),
    ]

    private static let reportBlocks: [(value: String, keys: [ObjectShape.Key])] = [
        ("title", [.required("text", .text, "Key of a text, or a pattern."), .optional("level", .integer(1...3), "1 by default.")]),
        (
            "text",
            [
                .required("text", .text, "Key of a text, or a pattern."),
                .optional("style", .word(of: ReportBlock.TextStyle.self), "normal by default."),
            ]
        ),
        ("page", [.required("file", .text, "A mustache file beside the template, filled from the section's row.")]),
        (
            "fields",
            [
                .optional("columns", .integer(1...6), "How many stand side by side; 2 by default."),
                .required("items", .list(.choice(.name, [reportItem]), atLeast: 1), "The values with their labels."),
            ]
        ),
        (
            "table",
            [
                title, query, .required("columns", .list(.choice(.name, [reportTableColumn]), atLeast: 1), "The columns."),
                .optional("group", .list(.name), "Columns whose values open groups."),
                .optional("totals", .map(.word(of: ReportBlock.Total.self)), "Columns that are totalled, and how."),
                .optional("tones", .list(.object(reportTone)), "Rows that stand out."), empty,
            ]
        ),
        (
            "pivot",
            [
                title, query, .required("rows", .name, "The column down the side."), .required("columns", .name, "The column across."),
                .optional("value", .name, "The column that is totalled; rows are counted without it."),
                .optional("total", .word(of: ReportBlock.Total.self), "sum by default."), empty,
            ]
        ),
        (
            "chart",
            [
                title, query, .required("kind", .word(of: ReportBlock.Chart.Kind.self), "Which chart."),
                .required("category", .name, "The column along the axis."),
                .required("values", .list(.name, atLeast: 1), "The columns that are drawn."),
                .optional("split", .name, "A column whose values make a series each."), height,
            ]
        ),
        (
            "photos",
            [
                title, query, .required("path", .name, "Column with the photo's path."),
                .required("caption", .text, "Key of a text, or a pattern over the photo's row."),
                .optional("link", .text, "Address of the original: a pattern over the photo's row, `{storage_path}` say."),
                .optional("columns", .integer(1...6), "How many stand side by side; 3 by default."), height, empty,
            ]
        ),
        ("picture", [.required("file", .text, "A PNG or JPEG beside the template."), height]),
        (
            "log",
            [query] + layers + pit + [
                .optional("number", .name, "Column with the layer's number."),
                .required("description", .choice(.name, [reportValue]), "What is said of the layer."),
                .optional("sample", .name, "Column with the sample's name."),
                .optional("sampleDepth", .name, "Column with the sample's depth."),
                .optional("columns", .list(.choice(.name, [reportTableColumn])), "Further columns."),
                .optional("scales", .list(.integer(1...1_000), atLeast: 1), "Scales 1:n to choose from; 10, 20, 25, 50 by default."),
                .required("empty", .text, "Text that stands where nothing is logged."),
            ]
        ),
        ("strip", [query] + layers + pit + [height]),
        (
            "profile",
            [
                query, .required("label", .name, "Column with the pit's name."),
                .required("chainage", .name, "Column with the chainage: metres, or a text like 12+300."),
                .required("elevation", .name, "Column with the height above the sea."), .required("depth", .name, "Column with the depth."),
                .optional("water", .name, "Column with the depth of water."), .required("layers", .name, "The query with the layers."),
                .required("owner", .name, "Its column with the pit's id."),
            ] + layers + [.optional("contacts", .boolean, "Whether contacts are drawn between pits; false by default."), height]
        ),
        (
            "sketch",
            [
                query, .required("easting", .name, "Column with the UTM easting."),
                .required("northing", .name, "Column with the UTM northing."), .required("label", .name, "Column with the name."), height,
            ]
        ),
        (
            "plan",
            [
                query, .required("polygon", .name, "Column with the room's ring."),
                .required("label", .text, "What is written into a room: key of a text, or a pattern over its row."),
                .optional("state", .name, "Column with empty, inProgress, complete or approved."),
                .optional("count", .name, "Column with how much is in the room."),
                .optional("background", .name, "The section's column with the drawing: GeoJSON, or lists of points."),
                .optional("origin", .name, "The section's column with the point that the drawing's coordinates are off by."),
                .optional("boundary", .name, "The section's column with the boundary."),
                .optional("north", .name, "The section's column with the angle of north in degrees."),
                .optional("points", .name, "A query with points."), .optional("point", .name, "Its column with a point."),
                .optional("only", .name, "Column of the rooms that equals the section's id in the room to show."), height, empty,
            ]
        ),
        ("symbols", [query, .required("symbol", .name, "Column with the symbols.")]),
        ("signatures", [.required("items", .list(.object(reportSignature), atLeast: 1), "Who signs.")]),
        ("pageBreak", []),
        ("space", [.required("height", .integer(1...200), "In millimetres.")]),
    ]

    private static let valueKeys: [ObjectShape.Key] = [
        .optional("column", .name, "A column."),
        .optional("code", .boolean, "Whether the column's value is shown as stored, not by its vocabulary's text."),
        .optional("value", .expression, "What an expression makes of the row."),
        .optional("text", .text, "Key of a text, or a pattern over the row."),
        .optional("type", .word(reportTypes), "Type of the expression's value."),
        .optional("decimals", .integer(0...9), "Decimals of the expression's value."),
        .optional("unit", .text, "Unit of the expression's value."),
    ]

    static let reportValue = ObjectShape("reportValue", "A value of a row.", valueKeys, exactlyOne: ["column", "value", "text"])

    static let reportItem = ObjectShape(
        "reportItem", "A value with its label.",
        valueKeys + [
            .optional("label", .text, "Key of the label's text; the column's own by default."),
            .optional("span", .integer(1...6), "How many columns it takes; 1 by default."),
            .optional("empty", .text, "Text that stands where there is no value."),
            .optional("hideEmpty", .boolean, "Whether it is left out where there is no value."),
        ], exactlyOne: ["column", "value", "text"])

    static let reportTableColumn = ObjectShape(
        "reportTableColumn", "A column of a table.",
        valueKeys + [
            .optional("label", .text, "Key of the label's text; the column's own by default."),
            .optional("width", .number, "Share of the width; by what it holds otherwise."),
            .optional("hideEmpty", .boolean, "Whether it is left out where no row has a value."),
            .optional("link", .name, "Section (`each`) whose pages for the row's id are opened."),
        ], exactlyOne: ["column", "value", "text"])

    static let reportTone = ObjectShape(
        "reportTone", "Rows that stand out.",
        [
            .required("when", .expression, "Condition over the query's row."),
            .required("tone", .word(of: ReportBlock.Tone.self), "How they stand out."),
        ])

    static let reportSignature = ObjectShape(
        "reportSignature", "A line to sign on.",
        [
            .required("label", .text, "Key of a text."),
            .optional("name", .name, "The section's column with the name."),
        ])
}
