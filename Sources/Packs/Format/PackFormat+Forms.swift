internal import Model

extension PackFormat {
    static let mappedForm = ObjectShape(
        "mappedForm", "Sheets that are forms, and the rows that they give.",
        [
            .optional("sheets", .list(.text, atLeast: 1), "Names of sheets, `*` for any piece; every sheet by default."),
            .optional("hidden", .boolean, "Whether sheets that are not shown are read too; no by default."),
            .optional("start", .text, "Upper left cell of the first form; A1 by default."),
            .optional("every", .object(formDistance), "How far one form of a sheet lies from the next; left out: one form a sheet."),
            .optional("present", .list(.text, atLeast: 1), "Values without which a form is an empty one."),
            .required("values", .map(.choice(.text, [labelledValue, cellValue])), "Values by their names; a text alone is the label to the left of one."),
            .optional("tables", .map(.object(formTable)), "Tables within the form, by their names."),
            .optional("picturesBelow", .oneOrMany(.text), "Label at or below which pictures are photos; anywhere by default."),
            .optional("columns", .map(.choice(.text, [namedColumn])), "Values and columns by the names that expressions call them."),
            .optional("where", .expression, "Condition over `columns`; what it is not true of is left out."),
            .required("rows", .list(.object(formRow), atLeast: 1), "The entities that a form gives, parents first."),
        ])

    static let formDistance = ObjectShape(
        "formDistance", "How far one form lies from the next.",
        [
            .optional("rows", .integer(1...100_000), "Rows; left out: there is one from top to bottom."),
            .optional("columns", .integer(1...16_000), "Columns; left out: there is one from left to right."),
        ])

    static let labelledValue = ObjectShape(
        "labelledValue", "A value beside its label.",
        [
            .required("label", .oneOrMany(.text), "The label, or several of which the first that is there counts; `*` for any piece."),
            .optional("at", .choice(.word(["right", "below", "same"]), [formOffset]), "Where the value stands; right by default."),
            .optional("within", .oneOrMany(.text), "Another label: only at or after it, at most three rows below, does the label count."),
            .optional("optional", .boolean, "Whether a form may lack the label; no by default."),
        ])

    static let formOffset = ObjectShape(
        "formOffset", "A way from the label's cell.",
        [
            .required("row", .integer(-100...100), "Rows down."),
            .optional("column", .integer(-100...100), "Columns to the right; 0 by default."),
        ])

    static let cellValue = ObjectShape(
        "cellValue", "A value in a fixed cell.", [.required("cell", .text, "The cell, as `H4`, from the form's upper left one as A1.")])

    static let formTable = ObjectShape(
        "formTable", "A table within a form.",
        [
            .required("columns", .map(.oneOrMany(.text)), "Its columns by their names: the heading, or several of which one is there."),
            .optional("headingRows", .integer(1...10), "Rows of its heading; by default as many as its merged cells have."),
            .optional("sideways", .boolean, "Whether headings stand in a column and each further column is a row; no by default."),
            .optional("until", .oneOrMany(.text), "Labels that end it; by default the first blank row does."),
        ])

    static let formRow: ObjectShape = {
        var shape = mappedRow
        shape.name = "formRow"
        shape.documentation = "The rows of one entity that a form gives."
        shape.keys.append(
            .optional("of", .text, "A table of the form, pictures or links: a row for each of it; by default one for each form."))
        return shape
    }()
}
