internal import Model

extension PackFormat {
    static let export = ObjectShape(
        "export", "exports/NAME.yaml: one export, or a bundle of others.",
        [
            .required("export", .scalar(.title), "The file's name."),
            .required("record", .scalar(.title), "The kind of record that is selected."),
            .required(
                "formats", .list(.word(of: ExportFormat.self), atLeast: 1),
                "The formats that are made where none is asked for."),
            .optional(
                "onRequest", .list(.word(of: ExportFormat.self), atLeast: 1),
                "Formats that are made only when they are asked for by name."),
            .optional(
                "policy", .word(of: FindingsPolicy.self),
                "What happens to records with errors; withhold-records by default."),
            .optional(
                "delivers", .boolean,
                "Whether it hands records over: it may mark them, and then holds approved ones alone; false by default."
            ),
            .optional(
                "finalWhen", .expression,
                "Condition over the project's row that makes the files final; left out: always."),
            .optional(
                "anonymous", .boolean,
                """
                Whether fields are shown as their `anonymous` says, so that no row leads to a person; false by \
                default.
                """
            ),
            .optional("sheets", .list(.object(sheet), atLeast: 1), "The tables of the export."),
            .optional("bundle", .object(bundle), "Other exports and photos in one ZIP."),
        ], exactlyOne: ["sheets", "bundle"])

    static let sheet = ObjectShape(
        "sheet", "One table of an export.",
        [
            .required("sheet", .scalar(.title), "Machine name."),
            .optional("entity", .name, "Whose rows."),
            .optional(
                "sql", .text,
                """
                Or one SELECT over the pack's tables; `selected (id)` holds the selected records, `left_out (id, \
                reason, detail)` the others; :project, :today, :from, :to and :language are bound.
                """
            ),
            .optional("rows", .word(of: ExportSheet.Rows.self), "Which rows; record by default."),
            .optional(
                "forEach", .path,
                """
                One sheet for each row at the end of this path of references, or for each value of the text at its \
                end.
                """
            ),
            .optional("eachName", .name, "That row's field that names the sheet; a text names its sheets itself."),
            .required(
                "columns",
                .byKind(
                    scalar: .word([ExportSheet.allColumns]),
                    list: .list(
                        .choice(.path, [fieldColumn, numberColumn, countColumn, parametersColumn]), atLeast: 1),
                    map: queryColumns),
                """
                The columns in order: a field, a path over references, or one of the forms below; `all` for all \
                fields; of SQL, its columns with their types.
                """
            ),
            .optional("order", .list(.choice(.path, [orderPath])), "The order of the rows."),
            .optional("calendar", .object(calendar), "How a calendar (ics) shows the rows; left out: it does not."),
            .optional(
                "suppress", .object(suppression), "Which rows are left out because too few people stand behind them."),
        ], exactlyOne: ["entity", "sql"])

    static let orderPath = ObjectShape(
        "orderPath", "A field by which rows are ordered.",
        [
            .required("field", .path, "The field, or a path over references."),
            .optional("descending", .boolean, "Whether the last comes first; false by default."),
        ])

    static let calendar = ObjectShape(
        "calendar", "The columns of a sheet that make its rows entries of a calendar (RFC 5545).",
        [
            .optional("as", .word(of: CalendarColumns.Component.self), "event (by default), or todo."),
            .required("uid", .name, "The column with the identifier that stays the same from file to file."),
            .required("summary", .name, "The column with the title."),
            .optional("start", .name, "The column with the day or instant at which it starts; an event needs it."),
            .optional(
                "time", .name,
                """
                The column with the time of day at which it starts, on the office's day of `start`, wherever the \
                reader is.
                """
            ),
            .optional("end", .name, "The column with the instant at which it ends, or its last day."),
            .optional("minutes", .scalar(.bound), "How long it takes: a number, or a column."),
            .optional("due", .name, "The column with the instant or day by which it is to be done."),
            .optional("done", .name, "The column with the instant at which it was done."),
            .optional("cancelled", .name, "The column with the instant at which it was given up."),
            .optional("repeats", .name, "The column with the rule by which it comes again: FREQ=WEEKLY;BYDAY=MO."),
            .optional("alarm", .scalar(.bound), "Minutes before, at which to remind: a number, or a column."),
            .optional("latitude", .name, "The column with the degrees north."),
            .optional("longitude", .name, "The column with the degrees east."),
            .optional("changed", .name, "The column with the instant of the last change."),
            .optional("priority", .name, "The column with 1 (highest) to 9."),
            .optional("description", .name, "The column with the text."),
            .optional("location", .name, "The column with the place."),
            .optional("categories", .name, "The column with the category."),
        ])

    static let suppression = ObjectShape(
        "suppression", "Rows are left out where too few people share the values that might tell who they are.",
        [
            .required("by", .list(.name, atLeast: 1), "The sheet's columns that together might tell it."),
            .required("of", .name, "The sheet's column that tells people apart."),
            .required("below", .integer(2...1000), "Groups with fewer people are left out."),
        ])

    static let fieldColumn = ObjectShape(
        "fieldColumn", "A field's column with a name or label of its own.",
        [
            .required("field", .path, "The field, or a path over references."),
            .optional("name", .name, "Machine name; the path's last part by default."),
            .optional("label", .text, "Key of the label's text; the field's own by default."),
            .optional("link", .boolean, "Whether a workbook makes it a hyperlink."),
        ])

    static let numberColumn = ObjectShape(
        "numberColumn", "A stored number.",
        [
            .required("number", .name, "The numbering."),
            .optional("name", .name, "Machine name; the numbering's by default."),
            .optional("label", .text, "Key of the label's text; label.NAME by default."),
        ])

    static let countColumn = ObjectShape(
        "countColumn", "The number of rows that refer to the row.",
        [
            .required("count", .name, "The entity whose rows are counted."),
            .required(
                "by", .path,
                """
                The reference, or path of references, by which they lead to the row; or the row's list field with \
                their ids.
                """
            ),
            .required("name", .name, "Machine name."),
            .optional("label", .text, "Key of the label's text; label.NAME by default."),
        ])

    static let parametersColumn = ObjectShape(
        "parametersColumn", "One column for each parameter of the forEach row's schema.",
        [
            .required("parameters", .path, "Path to the JSON field with the values."),
            .required("scope", .word(["type", "instance"]), "Which of the schema's parameters."),
        ])

    static let bundle = ObjectShape(
        "bundle", "Other exports and photos in one ZIP.",
        [
            .required("exports", .list(.scalar(.title), atLeast: 1), "The exports."),
            .required("formats", .list(.word(["xlsx", "csv", "xml"]), atLeast: 1), "Their formats."),
            .optional("photos", .object(photos), "The photos to go along."),
        ])

    static let photos = ObjectShape(
        "photos", "Photos under their unchanged names.",
        [
            .required("entity", .name, "The photos' entity."),
            .required("name", .name, of: .field(.photoName), "Its field with the unchanged file name."),
        ], subject: "entity")

    static let job = ObjectShape(
        "job", "jobs/NAME.yaml: a pipeline to run by hand or by cron.",
        [
            .required("job", .scalar(.title), "The file's name."),
            .optional("output", .text, "Directory and file name below the output directory, with placeholders."),
            .optional("failOn", .word(of: FailOn.self), "Severity from which the exit code is 1; error by default."),
            .optional("maxErrors", .integer(0...1_000_000_000), "More errors than this end the run."),
            .optional("allow", .list(.object(allowance), atLeast: 1), "Codes of findings of which some are accepted."),
            .optional(
                "period", .text,
                """
                The days that a delivery is for: last-month, this-month, last-week, this-week, last-year, this-year, \
                2026-11, 2026-W48, 2026.
                """
            ),
            .optional(
                "records", .word(of: Period.Records.self),
                "Records of the period's days, of these and all before, or all of them; within by default."),
            .optional("wait", .integer(0...86_400), "Seconds to wait for another run; 0 by default."),
            .optional(
                "sync", .list(.word(of: Job.SyncMoment.self), atLeast: 1),
                "When it syncs with the central database, if at all; before is proven."),
            .optional("production", .boolean, "Whether it may sync where the environment is PROD; false by default."),
            .required("steps", .list(.object(step), atLeast: 1), "The exports in order."),
        ])

    static let allowance = ObjectShape(
        "allowance", "How many findings of a code do not fail a job; the code is judged by this number alone.",
        [
            .required("code", .scalar(.code), "A code of the pack's rules or of the program's own findings."),
            .required("count", .integer(0...1_000_000_000), "How many are accepted."),
        ])

    static let step = ObjectShape(
        "step", "One export or report of a job.",
        [
            .optional("export", .scalar(.title), "The export."),
            .optional("report", .scalar(.title), "The report."),
            .optional("formats", .list(.word(of: ExportFormat.self), atLeast: 1), "All that are offered by default."),
            .optional("dialect", .word(of: CSVDialect.self), "How CSV is written; left out, by the office's country."),
            .optional("projects", .list(.text), "Codes of projects; left out: every project of the actor."),
            .optional("states", .list(.text), "Record states; left out: every state."),
            .optional("syncStates", .list(.word(of: SyncState.self)), "Sync states; left out: the usual ones."),
            .optional("from", .date, "First day of the record's date."),
            .optional("to", .date, "Last day of the record's date, inclusive."),
            .optional(
                "near", .text,
                """
                Latitude and longitude in degrees, `-12.0677,-75.2102`: the middle of a circle in which the records \
                must be.
                """
            ),
            .optional("within", .text, "The circle's radius: `500m`, `10km`."),
            .optional("text", .text, "Words that the record's texts must have."),
            .optional("where", .expression, "Condition over the record's root."),
            .optional("records", .word(of: Period.Records.self), "Which records of the period; as the job by default."),
            .optional(
                "policy", .word(of: FindingsPolicy.self),
                "What happens to records with errors; the export's by default."),
            .optional("zip", .boolean, "Whether the files go into one ZIP."),
            .optional(
                "markExported", .boolean,
                "Whether records move to the exported state; the export or report must deliver."),
            .optional(
                "allowEmpty", .boolean, "Whether files are made although no record is selected; false by default."),
        ], exactlyOne: ["export", "report"])
}
