internal import Model

extension PackFormat {
    static let events = ObjectShape(
        "events", "A table whose rows are events, and what follows from them for other tables.",
        [
            .required("entity", .name, "The events' entity."),
            .required("type", .name, "Its text with the type of an event."),
            .required("record", .name, "Its field with the id of the record that an event speaks of."),
            .required("payload", .name, "Its json with what an event says."),
            .optional("project", .name, "Its reference to the project."),
            .optional("operator", .name, "Its text that says who did it."),
            .optional("time", .name, "Its datetime: when, where the id does not tell."),
            .required("tables", .list(.object(eventTable), atLeast: 1), "The tables that events speak of, parents first."),
            .required("types", .list(.object(eventType), atLeast: 1), "What events do, in the order in which they apply within a millisecond."),
            .optional("acknowledged", .table, "Values by field of an event that the other side has acknowledged."),
            .optional("files", .object(eventFiles), "The files that events speak of."),
        ])

    static let eventFiles = ObjectShape(
        "eventFiles", "The table of the files that events speak of, and what says that the other side has one.",
        [
            .required("entity", .name, "The files' entity."),
            .required("values", .table, "Values by field of a file that the other side has."),
            .optional("time", .name, "The datetime: when it got the file."),
        ])

    static let eventTable = ObjectShape(
        "eventTable", "A table that events speak of, and what a record that they create gets beside the payload.",
        [
            .required("entity", .name, "The records' entity."),
            .optional("project", .name, "The field that gets the event's project."),
            .optional("operator", .name, "The field that gets the event's operator."),
            .optional("time", .name, "The datetime that gets the time when the record was made."),
            .optional("values", .table, "Values by field that every created record has unless its event says otherwise."),
        ])

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
                        .required("members", .list(.text, atLeast: 1), "Members of the payload with the value; the first that is there counts."),
                    ]
                ),
                (
                    "link",
                    [
                        .required("list", .name, "The list field that a record is put on."),
                        .required("owner", .list(.text, atLeast: 1), "Members of the payload with the id of the row whose list it is."),
                        .optional("item", .list(.text, atLeast: 1), "Members with the id of what is put on it; else the event's own record."),
                        .optional("others", .map(.list(.text, atLeast: 1)), "By entity, members that name an owner elsewhere, which must be known."),
                    ]
                ),
            ]))
}
