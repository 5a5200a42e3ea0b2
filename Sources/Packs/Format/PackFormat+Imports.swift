// Long file: a list, the keys of mappings.

internal import Model

extension PackFormat {
    static let importMapping = ObjectShape(
        "import", "imports/NAME.yaml: which columns of a foreign file feed which fields.",
        [
            .required("import", .scalar(.title), "The file's name."),
            .optional(
                "title", .choice(.text, [mappingTitle]), "What it is called for people; else the packs' texts say it."),
            .optional(
                "accepts", .list(.text, atLeast: 1),
                "Kinds of file, as `fichero describe FILE` names them; every kind by default."),
            .optional("lookups", .map(.table), "Words of the file and what they mean here, by the lookup's name."),
            .optional("blank", .list(.text, atLeast: 1), "Texts that mean, in every cell, that there is nothing."),
            .optional(
                "ignore", .list(.text, atLeast: 1),
                """
                What is left out on purpose, `*` for any piece: tables, headings of columns, and what a row or a \
                block begins with.
                """
            ),
            .optional(
                "options", .map(.object(mappingOption)),
                "What the file does not say and whoever imports it does, by name: --option NAME=VALUE."),
            .optional(
                "refuses", .list(.object(mappingRefusal), atLeast: 1),
                "Conditions under which the whole file is refused, before any row comes in."),
            .optional(
                "tables", .list(.object(mappedTable), atLeast: 1),
                "The sheets or tables of the file; may be left out where there are forms."),
            .optional("forms", .list(.object(mappedForm), atLeast: 1), "Its sheets that are forms."),
        ])

    static let mappingTitle = ObjectShape(
        "mappingTitle", "A title in each language.",
        Language.allCases.map { .optional($0.rawValue, .text, "The title in “\($0.rawValue)”.") })

    static let mappingOption = ObjectShape(
        "mappingOption",
        "What whoever imports a file says of it. The import's records keep it, so it is never personal data.",
        [
            .optional("required", .boolean, "Whether nothing is imported without it; no by default."),
            .optional("pattern", .pattern, "PCRE2 pattern that the whole value must match."),
            .optional("example", .text, "A value, for messages."),
            .optional(
                "title", .choice(.text, [mappingTitle]),
                "What it is called for people; else the pack's texts say it (`import.MAPPING.OPTION`)."),
        ])

    static let mappingRefusal = ObjectShape(
        "mappingRefusal", "A condition under which the whole file is refused. Texts: rule.CODE, .message, .remedy.",
        [
            .required("code", .scalar(.code), "Its code, in capitals with hyphens."),
            .required(
                "sql", .text,
                """
                One read-only SELECT over the tables; each row it gives is a reason. Binds :project (an id), :today \
                and the options.
                """
            ),
            .optional("arguments", .list(.name), "Columns of the query, or options, that the message quotes."),
        ])

    static let mappedTable = ObjectShape(
        "mappedTable", "A sheet or table of the file and the rows that it gives.",
        [
            .optional(
                "tables", .list(.text, atLeast: 1),
                "Names of sheets or tables, `*` for any piece; the first visible one by default."),
            .optional("except", .list(.text, atLeast: 1), "Names that are left out, although `tables` fits them."),
            .optional(
                "keyed", .table,
                """
                Objects of a JSON document whose members are rows, by path, and the heading of what the members are \
                called.
                """
            ),
            .optional(
                "header", .text,
                "auto (by default), none, the row with the headings, counted from 1, or its first and last row: 5-6."),
            .optional(
                "block", .boolean,
                """
                Whether it is one of several tables on its sheet: found by its headings, side by side without a gap, \
                it ends at its first blank row; no by default.
                """
            ),
            .optional(
                "columns", .map(.choice(.text, [namedColumn, namedOther])),
                "Columns by the names that expressions call them."),
            .optional(
                "down", .list(.text, atLeast: 1),
                "Headings, the outermost first, whose value stands once for the rows below it."),
            .optional("requires", .list(.text), "Headings; a row lacking one of them is left out."),
            .optional("where", .expression, "Condition over `columns`; a row of which it is not true is left out."),
            .required("rows", .list(.object(mappedRow), atLeast: 1), "The entities that a row gives, parents first."),
        ])

    static let namedColumn = ObjectShape(
        "namedColumn", "A column that expressions speak of.",
        [
            .required("column", .oneOrMany(.text), "Its heading, or several of which the first filled one counts."),
            .optional(
                "type", .word(["text", "integer", "decimal", "boolean", "date"]),
                "What its values are; text by default."),
            .optional("convert", conversions, "What is done with its text."),
        ])

    /// The keys of `otherValue`, with a type.
    static let namedOther = ObjectShape(
        "namedOther", "What another table says of the row, for expressions.",
        [
            .optional(
                "type", .word(["text", "integer", "decimal", "boolean", "date"]),
                "What its values are; text by default.")
        ] + otherValue.keys,
        exactlyOne: ["take", "members", "schema"])

    static let mappedRow = ObjectShape(
        "mappedRow", "The rows of one entity that a table gives.",
        [
            .required("entity", .name, "The entity."),
            .optional("key", .list(.name, atLeast: 1), "Fields that tell one row from another: the natural key."),
            .optional(
                "does", .word(of: RowOperation.self),
                """
                add (by default), or what it does to the rows read before it: replace the one with its id, delete it. \
                Such rows take effect in their order.
                """
            ),
            .optional(
                "match", .list(.name, atLeast: 1),
                "Fields by which `replace` finds the row instead; the row keeps its id."),
            .optional("repeats", .boolean, "Whether many rows name the same one: the first makes it."),
            .optional(
                "lenient", .boolean,
                """
                Whether a value that does not fit its field is left out and told, and the row comes in without it; \
                so is a reference that leads to nothing; never for keys and required fields, nor the way to the \
                project; no by default.
                """
            ),
            .optional(
                "onlyNew", .list(.name, atLeast: 1),
                "Fields whose values only new rows take: a row that is here already keeps its own."),
            .optional("requires", .list(.text), "Headings; a row lacking one of them does not give this entity."),
            .optional("where", .expression, "Condition over `columns` under which a row gives this entity."),
            .optional(
                "each", .list(.integer(1...1_000), atLeast: 2),
                "First and last number: a row gives one for each, `{n}` in headings."),
            .optional("photo", .object(mappedPhoto), "The picture that belongs to the row."),
            .optional(
                "several", .list(.object(severalValues)),
                "Columns of which only the first of several values is taken: the others are reported as findings."),
            .required("fields", .map(mappedValue), "Where each field's value comes from."),
        ])

    static let severalValues = ObjectShape(
        "severalValues", "A column that may hold several values in one cell.",
        [
            .required("column", .oneOrMany(.text), "Heading of the column."),
            .required("split", .text, "The text between the values."),
        ])

    static let mappedPhoto = ObjectShape(
        "mappedPhoto", "The file of a photo's row.",
        [
            .optional("column", .oneOrMany(.text), "Heading of the column with the file's path."),
            .optional(
                "content", .text,
                "Heading of the column that contains the file itself, as a BLOB of an SQLite database does."),
            .optional("folder", .text, "Folder that the paths start from, below the imported file's own."),
        ], exactlyOne: ["column", "content"])

    /// A value may contain values, such as those of a parent's key.
    static let mappedValue: Shape = .deferred {
        .choice(
            .text,
            [
                columnValue, joinValue, constantValue, optionValue, expressionValue, parentValue, namedValue,
                ordinalValue, aboveValue, thicknessValue, otherValue, identifierValue, objectValue, mergeValue,
                tableValue,
            ])
    }

    static let conversions: Shape = .deferred {
        .list(
            .choice(
                .word(CellConversion.words.map(\.word)),
                [
                    lookupConversion, dateConversion, splitConversion, listConversion, matchConversion,
                    replaceConversion, blankConversion, rangeConversion,
                    thousandsConversion, unitConversion, sinceConversion, memberConversion, elementsConversion,
                ]))
    }

    static let columnValue = ObjectShape(
        "columnValue", "What stands in a column.",
        [
            .required("column", .oneOrMany(.text), "Its heading, or several of which the first filled one counts."),
            .optional("convert", conversions, "What is done with its text, in order."),
            .optional(
                "zone", .text, "The time zone of times that state none: UTC, America/Lima; the pack's by default."),
            .optional("optional", .boolean, "Whether a file may lack the column; no by default."),
        ])

    static let joinValue = ObjectShape(
        "joinValue", "What stands in several columns, put together.",
        [
            .required("join", .list(.text, atLeast: 1), "Their headings."),
            .optional("with", .text, "The text between them; a space by default."),
            .optional("convert", conversions, "What is done with each text, in order."),
        ])

    static let constantValue = ObjectShape(
        "constantValue", "The same for every row.", [.required("value", .text, "The value.")])

    static let optionValue = ObjectShape(
        "optionValue", "The value of an option of the import, the same for every row; nothing where it was not given.",
        [.required("option", .name, "One of the mapping's options.")])

    static let expressionValue = ObjectShape(
        "expressionValue", "Worked out of the table's `columns`.",
        [
            .required("expression", .expression, "The expression."),
            .optional("convert", conversions, "What is done with the result, in order."),
        ])

    static let parentValue: ObjectShape = .init(
        "parentValue", "The id of a row of another entity, known by its natural key.",
        [
            .required("parent", .name, "Its entity."),
            .optional(
                "by", .map(mappedValue),
                """
                Its key: field by field, where the value comes from; left out: the row that the same row of the table \
                gives before.
                """
            ),
        ])

    static let namedValue = ObjectShape(
        "namedValue", "Within a parent's `by`: the key of the one record that files or folders are called after.",
        [
            .required(
                "named", .list(.text, atLeast: 1),
                "The columns in which it is named; all together must name one record."),
            .optional(
                "words", .list(.text, atLeast: 1), "Words before a number that stand for the letters of a key."),
        ])

    static let tableValue = ObjectShape(
        "tableValue", "What the table itself says, where nobody knows beforehand which tables and columns a file has.",
        [
            .required(
                "table", .word(of: ImportMapping.TablePart.self),
                "Its name, all its columns as a JSON object, or the values of its key (else of its first column)."),
            .optional("convert", conversions, "What is done with the text, in order."),
        ])

    static let ordinalValue = ObjectShape(
        "ordinalValue", "Position of the row, from 1, among those with the same values of some columns.",
        [.required("ordinal", .list(.text), "Their headings; none: among all rows.")])

    static let aboveValue = ObjectShape(
        "aboveValue", "The top of a layer of which the bottom is written: the bottom in the row above.",
        [
            .required("above", .oneOrMany(.text), "The column with the bottom."),
            .optional("unless", .oneOrMany(.text), "A column that says the top itself, where it is filled."),
            .optional("within", .list(.text), "Columns whose values tell one record from another: each begins anew."),
            .optional("first", .text, "The top of the first layer; 0 by default."),
            .optional("convert", conversions, "What is done with the text of each of these cells, in order."),
        ])

    static let thicknessValue = ObjectShape(
        "thicknessValue", "An edge of a layer of which the thickness is written.",
        [
            .required("thickness", .oneOrMany(.text), "The column with the thickness."),
            .required("edge", .word(of: ImportMapping.Layer.Edge.self), "Which edge is meant."),
            .optional("unless", .oneOrMany(.text), "A column that says the edge itself, where it is filled."),
            .optional("within", .list(.text), "Columns whose values tell one record from another: each begins anew."),
            .optional("first", .text, "The top of the first layer; 0 by default."),
            .optional("convert", conversions, "What is done with the text of each of these cells, in order."),
        ])

    static let identifierValue: ObjectShape = .init(
        "identifierValue", "An id that follows from values, where no field of the entity tells its rows apart.",
        [.required("identifier", .list(mappedValue, atLeast: 1), "The values.")])

    static let objectValue: ObjectShape = .init(
        "objectValue", "A JSON object.",
        [.required("object", .map(mappedValue), "Its members: where each value comes from; what is empty is left out.")]
    )

    static let mergeValue: ObjectShape = .init(
        "mergeValue", "JSON objects put into one, and the objects within them too; the first that has a member counts.",
        [.required("merge", .list(mappedValue, atLeast: 1), "Values that give objects.")])

    static let otherValue = ObjectShape(
        "otherValue", "What another table of the file says of the row.",
        [
            .required("from", .text, "Name of the table."),
            .optional(
                "key", .list(mappedValue, atLeast: 1),
                "Its columns (or from) that say which row is meant; none: all its rows."),
            .optional("by", .list(mappedValue, atLeast: 1), "This table's columns (or from) that must say the same."),
            .optional("only", .table, "Only rows with these words in these columns."),
            .optional("take", .oneOrMany(.text), "Its column with the value; of several the first filled one."),
            .optional(
                "as", .word(of: ImportMapping.Other.Taking.self),
                "What becomes of several rows' values; first by default."),
            .optional("with", .text, "With as: join, the text between the values; a space by default."),
            .optional(
                "members", .object(otherMembers), "Instead of take: a JSON object with a member for each of its rows."),
            .optional(
                "schema", .object(otherSchema),
                "Instead of take: the JSON Schema of such an object, as its rows have it."),
            .optional("convert", conversions, "What is done with the value, in order."),
            .optional(
                "zone", .text, "The time zone of times that state none: UTC, America/Lima; the pack's by default."),
        ], exactlyOne: ["take", "members", "schema"])

    static let otherMembers = ObjectShape(
        "otherMembers", "A JSON object out of rows.",
        [
            .required("name", .oneOrMany(.text), "The column that names a member."),
            .required("value", .oneOrMany(.text), "The column with its value."),
        ])

    static let otherSchema = ObjectShape(
        "otherSchema", "A JSON Schema out of rows: a property for each name, with the kind of its values.",
        [
            .required("name", .oneOrMany(.text), "The column that names a property."),
            .required("value", .oneOrMany(.text), "The column with its value."),
            .optional("unit", .oneOrMany(.text), "The column with its unit."),
            .optional("scope", .word(["type", "instance"]), "Whose parameters they are; instance by default."),
        ])

    static let lookupConversion = ObjectShape(
        "lookupConversion", "A word by its meaning.",
        [.required("lookup", .text, "Name of one of the mapping's lookups.")])

    static let dateConversion = ObjectShape(
        "dateConversion", "A date as `yyyy-MM-dd`.",
        [
            .required(
                "date", .oneOrMany(.text),
                "Forms of dd, MM (or MMMM, a month's name), yyyy or yy and punctuation, tried in order.")
        ])

    static let splitConversion = ObjectShape(
        "splitConversion", "One piece of a text.",
        [
            .required("split", .text, "The text between the pieces."),
            .required("piece", .integer(-1_000...1_000), "Which one, from 1; -1 is the last."),
        ])

    static let listConversion = ObjectShape(
        "listConversion", "All pieces of a text, as a list.", [.required("list", .text, "The text between the pieces.")]
    )

    static let matchConversion = ObjectShape(
        "matchConversion", "What a pattern finds.",
        [.required("match", .pattern, "PCRE2 pattern; its first group counts, or the whole where it has none.")])

    static let replaceConversion = ObjectShape(
        "replaceConversion", "Another text for every occurrence of one.",
        [
            .required("replace", .text, "The text."),
            .required("with", .scalar(.anyText), "What stands for it; \"\" for nothing."),
        ])

    static let rangeConversion = ObjectShape(
        "rangeConversion", "One end of a range in metres, `0.00-0.40` or `0,00 a 0,40 m`, as a number with a point.",
        [.required("range", .word(of: CellConversion.RangeEnd.self), "Which end.")])

    static let thousandsConversion = ObjectShape(
        "thousandsConversion", "A number without the mark between its thousands.",
        [.required("thousands", .text, "The mark: a dot, a comma or a space.")])

    static let unitConversion = ObjectShape(
        "unitConversion", "A number without the unit behind it; another unit stays, and is then no number.",
        [.required("unit", .oneOrMany(.text), "The unit, or several ways to write it.")])

    static let sinceConversion = ObjectShape(
        "sinceConversion", "An instant that is written as seconds since the first moment of a year, in UTC.",
        [
            .required("since", .integer(1...9_999), "The year: 1970 as Unix counts, 2001 as Apple's frameworks do."),
            .optional(
                "as", .word(of: CellConversion.InstantPart.self),
                "instant (by default), or the day or the time that the office's clocks show at it."),
        ])

    static let memberConversion = ObjectShape(
        "memberConversion", "What stands at a path within a cell that is JSON; nothing where it is not there.",
        [.required("member", .text, "The path: names of members, and numbers of elements from 0, with / between them.")]
    )

    static let elementsConversion = ObjectShape(
        "elementsConversion", "Each element of a list of JSON, converted.",
        [.required("elements", conversions, "What is done with each, in order.")])

    static let blankConversion = ObjectShape(
        "blankConversion", "Texts that say that there is nothing.",
        [.required("blank", .list(.text, atLeast: 1), "The texts.")])
}
