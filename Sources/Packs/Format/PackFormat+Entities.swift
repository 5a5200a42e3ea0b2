internal import Model

extension PackFormat {
    static let entity = ObjectShape(
        "entity", "entities/NAME.yaml: one table.",
        [
            .required("entity", .name, "Table name, the file's name."),
            .optional(
                "origin", .word(of: Entity.Origin.self),
                "Whether the source system names the table, plans it, or we assume it."),
            .optional("aliases", .list(.text), "Names under which files carry the table."),
            .optional(
                "writers", .word(of: Entity.Writer.self),
                """
                Whose word a row is: people's (by default), administrators', \
                Fichero's own, or also what files claim.
                """),
            .optional("project", .path, "Path to the project's id; left out: belongs to no project."),
            .optional("key", .list(.name, atLeast: 1), of: .fields, "The fields that name a row for people."),
            .optional(
                "within", .name, of: .field(.reference(to: .any)),
                "The reference within which the key is unique; left out: in the replica."),
            .optional("states", .object(states), "States of a row and who may change them."),
            .optional(
                "deletes", .object(deletion),
                "Who may delete rows; left out: nobody, but with the row that they belong to."),
            .optional(
                "edits",
                .byKind(
                    list: .list(.text),
                    map: .map(.byKind(scalar: .word(["all"]), list: .list(.name, atLeast: 1)))),
                of: .roles,
                """
                Roles that may change rows, and make them by commands; left out: all that may edit. Files may bring \
                new ones. Or by role: all, or the fields of existing rows that it may change.
                """
            ),
            .optional(
                "owner", .name, of: .field(.reference(to: .entity("profiles"))),
                """
                The reference to a profile whose person's own choice the rows are: nobody else makes, changes or \
                deletes them, but administrators.
                """
            ),
            .optional("indexes", .list(.list(.name, atLeast: 1)), of: .fields, "Extra indexes."),
            .optional("alike", .object(alike), "What makes two rows likely the same thing entered twice."),
            .optional(
                "file", .object(fileFacts),
                "The fields with what a row says of the file that it stands for, a photo mostly."),
            .required("fields", .list(.object(field), atLeast: 1), "The columns; the first is the id."),
        ])

    static let fileFacts = ObjectShape(
        "fileFacts", "The fields with what a row says of its file.",
        [
            .required(
                "path", .name, of: .field(.text),
                "The text with the place where an import keeps it; no file from elsewhere can know it."),
            .optional("name", .name, of: .field(.text), "The text with the name, as it was given at capture."),
            .optional("stored", .name, of: .field(.text), "The text with the place where the office keeps it."),
            .optional(
                "folder", .text,
                """
                The folder in Storage to which a sync sends it, with fields in braces; {organisation} and {project} \
                are the ids of the project's organisation and of the project.
                """
            ),
            .optional(
                "place", .text,
                "In the place of a folder: the whole path of the row's only file, with fields in braces."),
            .optional(
                "comes", .word(["kept", "always"]),
                """
                Whose files come: those that a person keeps always synced (kept, the default), or all, to every \
                replica (always).
                """
            ),
            .optional("bytes", .name, of: .field(.number), "The integer with its size."),
            .optional("sha256", .name, of: .field(.text), "The text with its checksum."),
            .optional("type", .name, of: .field(.text), "The text with its media type: image/jpeg."),
            .optional("width", .name, of: .field(.number), "The integer with the pixels across."),
            .optional("height", .name, of: .field(.number), "The integer with the pixels down."),
            .optional("latitude", .name, of: .field(.number), "The decimal with the degrees north."),
            .optional("longitude", .name, of: .field(.number), "The decimal with the degrees east."),
            .optional("taken", .name, of: .field(.instant), "The datetime of the exposure."),
        ])

    static let deletion = ObjectShape(
        "deletion", "Who may delete rows.",
        [
            .required("roles", .list(.text, atLeast: 1), of: .roles, "Who may do it."),
            .optional(
                "states", .list(.text),
                "States of the record in which it may be done; left out: in all that are not closed."),
        ])

    static let alike = ObjectShape(
        "alike", "Rows that are likely the same thing entered twice: an import tells of new ones.",
        [
            .required("name", .name, of: .field(.text), "The text field with the name."),
            .optional(
                "parameters", .name, of: .field(.json),
                "The json field with the parameters; left out: names alone decide."),
            .optional(
                "within", .name, of: .field(.reference(to: .any)),
                "The reference field within which rows are compared."),
            .required("above", .number, "How alike both must be, from 0 to 1."),
        ])

    static let states = ObjectShape(
        "states", "States of a row and the changes allowed between them.",
        [
            .required("field", .name, "The field with the state."),
            .required("initial", .text, "The state of a new row."),
            .optional(
                "exported", .object(exportedMove), "The move that Fichero makes itself once a document is registered."),
            .optional("closed", .list(.text), "States in which a record is changed only with a reason."),
            .optional(
                "frozen", .list(.text),
                "States in which nobody changes a record or its parts, by whatever command or file and reason."),
            .optional(
                "approves", .list(.text),
                "States to which a command moves a record only without errors; none by default."),
            .required("transitions", .list(.object(transition)), "The changes allowed."),
        ])

    static let exportedMove = ObjectShape(
        "exportedMove", "The move that Fichero makes itself.",
        [
            .required("from", .text, "The state before."),
            .required("to", .text, "The state after."),
        ])

    static let transition = ObjectShape(
        "transition", "A change of state.",
        [
            .required("from", .text, "The state before."),
            .required("to", .text, "The state after."),
            .required("roles", .list(.text, atLeast: 1), of: .roles, "Who may do it."),
            .optional(
                "own", .name, of: .field(.reference(to: .entity("profiles"))),
                """
                The reference to a profile: of these roles only the person whom the record names there does it; left \
                out: everyone.
                """
            ),
            .optional(
                "require", .oneOrMany(.scalar(.code)),
                "Rules of the kind `row` about this table that the row must not break once it is moved."),
        ])

    static let field = ObjectShape(
        "field", "One column.",
        [
            .required("name", .name, "Column name."),
            .required("type", .word(of: FieldType.self), "What the values are."),
            .optional("aliases", .list(.text), "Names under which files carry the column; the first is written back."),
            .optional(
                "renamedFrom", .oneOrMany(.name),
                """
                What the column was called before, oldest first: replicas and servers rename it, and files that carry \
                it are read.
                """
            ),
            .optional(
                "synonyms", .list(.text),
                "What headings of other files call the column; a suggested mapping looks for them."),
            .optional("origin", .word(of: Entity.Origin.self), "The entity's by default."),
            .optional("required", .boolean, "Whether every row has a value."),
            .optional("requiredWhen", .expression, "Condition over the row under which it must have a value."),
            .optional("unit", .text, "Unit as people read it."),
            .optional("min", .number, "Least value, inclusive."),
            .optional("max", .number, "Greatest value, inclusive."),
            .optional("minLength", .integer(0...1_000_000_000), "Least length of a text in Unicode scalars."),
            .optional("maxLength", .integer(0...1_000_000_000), "Greatest length of a text in Unicode scalars."),
            .optional("pattern", .pattern, "PCRE2 pattern that the whole text must match."),
            .optional("vocabulary", .name, of: .vocabulary, "The values allowed."),
            .optional(
                "references", .name, of: .entity,
                "The entity whose id the field (or each item of a list) holds."),
            .optional("deletesWithParent", .boolean, "Whether the row goes when the referenced row goes."),
            .optional("privacy", .name, "Privacy class; the first by default."),
            .optional("unique", .scalar(.trueOrName), "true, or the reference field within which values are unique."),
            .optional(
                "setBy", .text, "The state of the act that it records: set by roles that may lead records there."),
            .optional("decimals", .integer(0...15), "Decimals shown to people."),
            .optional("schema", .object(schema), "Where the schema is that judges this JSON."),
            .optional(
                "anonymous",
                .choice(.word(["keep", "omit", "pseudonym"]), [anonymousPeriod, anonymousGrid, anonymousBand]),
                "How an anonymous export shows it; by default in the way that tells least."),
        ])

    static let anonymousPeriod = ObjectShape(
        "anonymousPeriod", "A day or instant as its period of the office's calendar.",
        [.required("period", .word(of: Anonymity.Period.self), "day, week, month, quarter or year.")])

    static let anonymousGrid = ObjectShape(
        "anonymousGrid", "A coordinate in degrees as that of the centre of a square.",
        [
            .required("grid", .integer(100...1_000_000), "The square's side in metres."),
            .optional("pair", .name, of: .field(.decimal), "Of a longitude: the field with its latitude."),
        ])

    static let anonymousBand = ObjectShape(
        "anonymousBand", "A number as the band in which it lies.",
        [.required("band", .integer(2...1_000_000_000), "The width of a band.")])

    static let schema = ObjectShape(
        "schema", "JSON that a family's schema judges.",
        [
            .required("path", .path, of: .path(.json), "Path to the field with the schema."),
            .required("scope", .word(["type", "instance"]), "Which of the schema's parameters belong here."),
            .optional(
                "version", .path, "Path to the field with the schemas of the version that the row was captured under."),
        ])

    static let rules = ObjectShape(
        "rules", "rules/*.yaml: checks beyond one field.",
        [.required("rules", .list(.object(rule)), "The rules.")])

    static let rule = ObjectShape(
        "rule", "A check beyond one field.",
        [
            .required("code", .scalar(.code), "Stable code of the finding."),
            .required("entity", .name, "Whose rows are judged."),
            .required("severity", .word(of: Severity.self), "How serious an offence is."),
            .required("check", .word(["row", "query", "count", "photo"]), "The kind of check."),
            .optional("field", .name, of: .field(), "Where the finding points."),
            .optional("when", .expression, "Only rows of which this is true are judged."),
            .optional("arguments", .list(.path), "What the message quotes: fields, or columns of the query."),
        ],
        variants: .init(
            key: "check",
            keys: [
                ("row", [.required("require", .expression, "Must not be false of a row.")]),
                (
                    "query",
                    [
                        .required(
                            "sql", .text,
                            """
                            Read-only SQL over the plain table names that returns the offenders' id; `:today` is the \
                            day of the run.
                            """
                        ),
                        .optional(
                            "scope", .word(of: Rule.Scope.self),
                            "Which rows decide about one: itself, its record or its project; any row when left out."),
                    ]
                ),
                (
                    "count",
                    [
                        .required("of", .name, "The entity whose rows are counted."),
                        .required(
                            "by", .path,
                            """
                            The reference, or path of references, by which they lead to the row; or the row's list \
                            field with their ids.
                            """
                        ),
                        .optional("min", .scalar(.bound), "Least number: a whole number or a path to one."),
                        .optional("max", .scalar(.bound), "Greatest number: a whole number or a path to one."),
                    ]
                ),
                (
                    "photo",
                    [
                        .required("file", .path, of: .path(.text), "The text with the path of the photo's file."),
                        .optional("longestSide", .integer(1...100_000), "Most pixels of the longer side."),
                        .optional("bytes", .path, of: .path(.number), "The recorded number of bytes."),
                        .optional("sha256", .path, of: .path(.text), "The recorded SHA-256."),
                        .optional(
                            "time", .path, of: .path(.instant),
                            "The recorded instant, which the camera's must match."),
                        .optional(
                            "timeTolerance", .integer(0...31_536_000), "Seconds by which it may differ; 120 by default."
                        ),
                        .optional(
                            "place", .object(photoPlace),
                            "Where it was taken, which the camera's position must match."),
                    ]
                ),
            ]), subject: "entity")

    static let photoPlace = ObjectShape(
        "photoPlace", "Where a photo was taken, as recorded: degrees or UTM coordinates.",
        placeKeys + [.required("within", .integer(1...1_000_000), "Metres by which it may differ.")],
        exactlyOne: ["latitude", "easting"])
}
