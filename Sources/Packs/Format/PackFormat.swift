internal import Model

/// The pack format, declared once: the shape of every file. `ShapeCheck` checks packs against it,
/// `jsonSchema()` prints it, and `Docs/pack-format.md` explains it.
package enum PackFormat {
    /// The newest version of the format that this program supports.
    package static let version = 1

    /// The kinds of files in a pack, by their folder.
    package enum FileKind: String, Sendable, CaseIterable {
        case pack, vocabulary = "vocabularies", entity = "entities", rules, export = "exports", mapping = "imports",
            report = "reports", job = "jobs", test = "tests", texts

        var shape: Shape {
            switch self {
            case .pack: .object(PackFormat.pack)
            case .vocabulary: .object(PackFormat.vocabulary)
            case .entity: .object(PackFormat.entity)
            case .rules: .object(PackFormat.rules)
            case .export: .object(PackFormat.export)
            case .mapping: .object(PackFormat.importMapping)
            case .report: .object(PackFormat.report)
            case .job: .object(PackFormat.job)
            case .test: .object(PackFormat.test)
            case .texts: .table
            }
        }
    }

    static let pack = ObjectShape(
        "pack", "pack.yaml: what the system is called, languages, roles, privacy classes, records, numberings.",
        [
            .required("format", .integer(1...1_000), "Version of the pack format."),
            .required("name", .scalar(.title), "The folder's name."),
            .required("version", .text, "Version of the pack's content: major.minor.patch."),
            .required(
                "languages", .list(.word(of: Language.self), atLeast: 1),
                "Languages of the texts; the first is the default."),
            .optional(
                "environments", .list(.text, atLeast: 1),
                "Deployment environments, in order of seriousness; PROD alone by default."),
            .required("timeZone", .text, "IANA name of the office's time zone."),
            .optional(
                "privacy", .list(.name, atLeast: 1),
                """
                Privacy classes, ascending; fields of the last never leave the replica. By default public, internal, \
                personal, secret.
                """
            ),
            .required("project", .object(project), "Which entity holds the projects."),
            .required("roles", .list(.object(role), atLeast: 1), "What the profiles of a role may do and see."),
            .required("records", .list(.object(record), atLeast: 1), "Which tables make one record."),
            .optional("numberings", .list(.object(numbering)), "Sequential integers, stored, stable."),
            .optional("events", .object(events), "The table of events, and what follows from them."),
            .optional("plans", .object(plans), "How floor plans come in."),
            .optional(
                "subjects", .object(subjects), "The people whom the records are about, and how one of them is erased."),
        ])

    static let project = ObjectShape(
        "project", "Which entity holds the projects, and which of its columns people know a project by.",
        [
            .required("entity", .name, "The projects' entity."),
            .required("code", .name, of: .field(.textOrID), "The field given after --project."),
            .required("name", .name, of: .field(.textOrID), "The field with the project's name for people."),
            .optional("organisation", .name, of: .field(.textOrID), "The field with the organisation's id."),
        ], subject: "entity")

    static let role = ObjectShape(
        "role", "What profiles of this role may do and see.",
        [
            .required("name", .text, "The value in the profiles' role column."),
            .required("may", .list(.word(of: Permission.self)), "What the role's profiles may do."),
            .required("sees", .list(.name), "Privacy classes whose fields the role sees."),
        ])

    static let record = ObjectShape(
        "record", "Which tables make one record.",
        [
            .required("name", .scalar(.title), "Machine name of the kind of record."),
            .required("root", .name, "The entity with one row a record."),
            .optional("state", .path, of: .path(.state), "Path from the root to the state."),
            .optional("date", .path, of: .path(.day), "Path from the root to the date."),
            .optional("place", .object(place), "Where the record is, for selections by distance and for maps."),
            .optional(
                "texts", .list(.path), of: .path(.text),
                "Paths from the root to the texts in which words are looked for."),
            .optional("parts", .list(.object(recordPart)), "The other tables of the record."),
            .optional("strip", .object(strip), "The part that reports draw as a column of layers."),
        ], subject: "root")

    static let place = ObjectShape(
        "place", "Where a record is: degrees on WGS 84, or metres in a zone of UTM.", placeKeys,
        exactlyOne: ["latitude", "easting"])

    /// The keys of a place; its paths begin at the row whose place it is.
    static let placeKeys: [ObjectShape.Key] = [
        .optional("latitude", .path, of: .path(.number), "Degrees north."),
        .optional("longitude", .path, of: .path(.number), "Degrees east."),
        .optional("easting", .path, of: .path(.number), "UTM metres east."),
        .optional("northing", .path, of: .path(.number), "UTM metres north."),
        .optional("zone", .path, of: .path(.text), "UTM zone such as 18S."),
        .optional(
            "datum", .path, of: .path(.text),
            "Datum of the metres; places on another than WGS84 are neither judged nor on maps."),
    ]

    static let strip = ObjectShape(
        "strip", "A part of the record that reports draw as a column of layers, to scale.",
        [
            .required("entity", .name, "The part with a row for each layer."),
            .required("from", .name, "The part's field with the depth of a layer's top."),
            .required("to", .name, "The part's field with the depth of a layer's bottom."),
            .required("label", .name, "The part's field that names the material."),
            .optional("total", .name, "The root's field with the whole depth."),
            .optional("water", .name, "The root's field with the depth of water."),
        ])

    static let recordPart = ObjectShape(
        "recordPart", "A table with parts of a record.",
        [
            .required("entity", .name, "The parts' entity."),
            .required(
                "by", .path,
                """
                The part's reference that leads to the root, or, over other parts, the path of references; with list, \
                the root's list field.
                """
            ),
            .optional("list", .boolean, "Whether `by` is the root's list field with the ids of the parts."),
        ])

    static let numbering = ObjectShape(
        "numbering", "Sequential integers given to rows at the first export that asks for them.",
        [
            .required("name", .name, "Machine name."),
            .required("entity", .name, "Whose rows get numbers."),
            .required("field", .name, of: .field(.integer), "The entity's integer field that holds the number."),
            .required("order", .list(.path, atLeast: 1), of: .path(), "The order in which rows get theirs."),
            .optional("when", .expression, "Condition over the project's row under which numbers are given."),
        ], subject: "entity")

    static let vocabulary = ObjectShape(
        "vocabulary", "vocabularies/NAME.yaml: the values that a field may take.",
        [
            .required("vocabulary", .name, "The file's name."),
            .required(
                "values", .list(.choice(.text, [vocabularyValue]), atLeast: 1), "The values in their usual order."),
            .optional("also", .pattern, "PCRE2 pattern of further values, matched whole."),
            .optional(
                "symbols", .boolean,
                """
                Whether people call things by the values themselves (GW): messages of rules quote these and not the \
                labels.
                """
            ),
        ])

    static let vocabularyValue = ObjectShape(
        "vocabularyValue", "A value with other spellings, or with a colour.",
        [
            .required("value", .text, "The value as it is stored."),
            .optional("aliases", .list(.text), "Spellings that files carry; an import stores the value for them."),
            .optional("tint", .word(of: Tint.self), "Its colour on plans and in charts."),
        ])
}

extension PackFormat {
    static let subjects = ObjectShape(
        "subjects", "The people whom the records are about, and what fichero erase does to their rows.",
        [
            .required("entity", .name, "The entity with one row a person."),
            .optional(
                "identity", .list(.name), of: .field(.textOrID),
                "Its fields whose value belongs to one person alone, besides the id."),
            .optional(
                "mentions", .list(.name), of: .field(.textOrID),
                "Its fields with words by which a person is found in books and rejected rows."
            ),
            .required("rows", .list(.object(subjectRows)), "What becomes of the rows that lead to the person."),
        ], subject: "entity")

    static let subjectRows = ObjectShape(
        "subjectRows", "Rows that lead to a person.",
        [
            .required("entity", .name, "The rows' entity."),
            .required(
                "by", .name, of: .field(.reference(to: .outer, orList: true)),
                "The reference, or the list of references, that leads to the person."),
            .required(
                "erase", .word(of: SubjectDefinition.Fate.self), "Whether they go, or stay without the reference."),
            .optional("clear", .list(.name), of: .field(), "Further fields that are emptied in rows that stay."),
        ], subject: "entity")
}

extension PackFormat {
    static let test = ObjectShape(
        "test",
        "tests/NAME.yaml: rows and files that go in, findings and sheets that come out. fichero doctor runs it.",
        [
            .required("test", .scalar(.title), "The file's name."),
            .optional("asOf", .text, "The clock of the test: 2026-01-31T12:00:00Z."),
            .optional(
                "rows", .map(.list(.map(.oneOrMany(.scalar(.anyText))), atLeast: 1)),
                "Rows by entity, parents first. A value of type uuid may be any name."),
            .optional("files", .list(.object(testFile), atLeast: 1), "Files that are imported after the rows."),
            .optional("finds", .list(.object(testFinding)), "All findings that there are then; none by default."),
            .optional("ignores", .list(.scalar(.code), atLeast: 1), "Codes whose findings do not matter here."),
            .optional("gives", .list(.object(testSheet), atLeast: 1), "Sheets of exports that come out."),
        ])

    static let testFile = ObjectShape(
        "testFile", "A file with its content.",
        [
            .required("name", .text, "Its name; the ending says the kind."),
            .required("text", .text, "What it holds."),
            .optional("mapping", .scalar(.title), "The mapping; the one that fits by default."),
            .optional("entity", .name, of: .entity, "The table that its rows belong to."),
            .optional("options", .table, "The options of its mapping, as an import gives them."),
        ])

    static let testFinding = ObjectShape(
        "testFinding", "A finding that there must be.",
        [
            .required("code", .scalar(.code), "Its code."),
            .optional("row", .text, "The row, by its id in the test."),
            .optional("key", .text, "The row, as people read it: P-1 / C-01."),
        ])

    static let testSheet = ObjectShape(
        "testSheet", "A sheet of an export.",
        [
            .required("export", .scalar(.title), "The export."),
            .required("sheet", .scalar(.title), "The sheet."),
            .required("csv", .text, "What it holds, as CSV in the standard dialect and the pack's first language."),
        ])
}

extension PackFormat {
    static let mappedForm = ObjectShape(
        "mappedForm", "Sheets that are forms, and the rows that they give.",
        [
            .optional(
                "sheets", .list(.text, atLeast: 1), "Names of sheets, `*` for any piece; every sheet by default."),
            .optional("hidden", .boolean, "Whether sheets that are not shown are read too; no by default."),
            .optional("start", .text, "Upper left cell of the first form; A1 by default."),
            .optional(
                "every", .object(formDistance),
                "How far one form of a sheet lies from the next; left out: one form a sheet."),
            .optional("present", .list(.text, atLeast: 1), "Values without which a form is an empty one."),
            .required(
                "values", .map(.choice(.text, [labelledValue, cellValue])),
                "Values by their names; a text alone is the label to the left of one."),
            .optional("tables", .map(.object(formTable)), "Tables within the form, by their names."),
            .optional(
                "picturesBelow", .oneOrMany(.text),
                "Label at or below which pictures are photos; anywhere by default."),
            .optional(
                "columns", .map(.choice(.text, [namedColumn])),
                "Values and columns by the names that expressions call them."),
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
            .required(
                "label", .oneOrMany(.text),
                "The label, or several of which the first that is there counts; `*` for any piece."),
            .optional(
                "at", .choice(.word(["right", "below", "same"]), [formOffset]),
                "Where the value stands; right by default."),
            .optional(
                "within", .oneOrMany(.text),
                "Another label: only at or after it, at most three rows below, does the label count."),
            .optional("optional", .boolean, "Whether a form may lack the label; no by default."),
        ])

    static let formOffset = ObjectShape(
        "formOffset", "A way from the label's cell.",
        [
            .required("row", .integer(-100...100), "Rows down."),
            .optional("column", .integer(-100...100), "Columns to the right; 0 by default."),
        ])

    static let cellValue = ObjectShape(
        "cellValue", "A value in a fixed cell.",
        [.required("cell", .text, "The cell, as `H4`, from the form's upper left one as A1.")])

    static let formTable = ObjectShape(
        "formTable", "A table within a form.",
        [
            .required(
                "columns", .map(.oneOrMany(.text)),
                "Its columns by their names: the heading, or several of which one is there."),
            .optional(
                "headingRows", .integer(1...10), "Rows of its heading; by default as many as its merged cells have."),
            .optional(
                "sideways", .boolean,
                "Whether headings stand in a column and each further column is a row; no by default."),
            .optional("until", .oneOrMany(.text), "Labels that end it; by default the first blank row does."),
        ])

    static let formRow: ObjectShape = {
        var shape = mappedRow
        shape.name = "formRow"
        shape.documentation = "The rows of one entity that a form gives."
        shape.keys.append(
            .optional(
                "of", .text,
                "A table of the form, pictures or links: a row for each of it; by default one for each form."))
        return shape
    }()
}
