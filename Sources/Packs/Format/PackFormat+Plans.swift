internal import Model

extension PackFormat {
    static let plans = ObjectShape(
        "plans",
        """
        Which tables hold floors and rooms, how drawings show them, and the files in which the system's app keeps \
        them.
        """,
        [
            .required("levels", .object(planLevels), "The table of floors."),
            .required("rooms", .object(planRooms), "The table of rooms."),
            .optional("layers", .object(planLayers), "The layers of drawings; left out: no drawing can be imported."),
            .optional("heights", .object(planHeights), "How names of floors tell their order."),
            .optional(
                "folder", .object(planFolder), "The folder of JSON files in which the system's app keeps a survey."),
        ])

    static let planLevels = ObjectShape(
        "planLevels", "The table of floors and its fields.",
        [
            .required("entity", .name, "The floors' entity."),
            .required("project", .name, of: .field(.project), "The reference to the project."),
            .required("name", .name, of: .field(.text), "The text with the name."),
            .required("number", .name, of: .field(.number), "The integer with the number."),
            .required("key", .name, of: .field(.text), "The text with the drawing's own name for it."),
            .optional("origin", .name, of: .field(), "The point at which plan coordinates begin."),
            .optional("north", .name, of: .field(.number), "The decimal with the direction of North in degrees."),
            .optional("boundary", .name, of: .field(), "The polygon around the floor."),
            .optional("background", .name, of: .field(.json), "The json with the drawing's lines."),
        ], subject: "entity")

    static let planRooms = ObjectShape(
        "planRooms", "The table of rooms and its fields.",
        [
            .required("entity", .name, "The rooms' entity."),
            .required("level", .name, "The reference to the floor."),
            .required("name", .name, of: .field(.text), "The text with the name."),
            .required("number", .name, of: .field(.text), "The text with the number."),
            .required("key", .name, of: .field(.text), "The text with the drawing's own name for it."),
            .required("polygon", .name, of: .field(), "The polygon in plan coordinates."),
            .optional("raw", .name, of: .field(), "The polygon as the drawing has it."),
            .optional("area", .name, of: .field(.number), "The decimal with the area."),
            .optional("centroid", .name, of: .field(), "The point in its middle."),
        ], subject: "entity")

    static let planLayers = ObjectShape(
        "planLayers", "The layers of a drawing by what they show.",
        [
            .required("background", .text, "Lines behind the plan."),
            .required("rooms", .text, "Outlines of rooms with their labels."),
            .required("levels", .text, "Outlines of floors with their labels."),
            .required("north", .text, "A line to the North in each floor."),
        ])

    static let planHeights = ObjectShape(
        "planHeights", "How the words of a floor's name tell how high it lies.",
        [
            .optional("ground", .list(.text), "Last words of names of the ground floor."),
            .optional(
                "below", .list(.text),
                "Words beside which a number counts downwards; `*` at the end stands for the rest of a word."),
            .optional(
                "letters", .map(.integer(-1...1)),
                "Letters before a number, with 1 where it counts upwards and -1 where downwards."),
            .optional("words", .map(.integer(-100...200)), "Words with the floor that they name."),
        ])

    static let planFolder = ObjectShape(
        "planFolder", "The folder of JSON files in which the system's app keeps a survey.",
        [
            .required("schema", .object(planSchema), "The document with the families and parameters."),
            .required("plan", .object(planDocument), "The document with the floors and rooms."),
        ])

    static let planSchema = ObjectShape(
        "planSchema", "The document with the families and parameters of a survey: one row, and one for each family.",
        [
            .required("file", .text, "The document's name."),
            .required("entity", .name, "The entity of its row."),
            .required("project", .name, of: .field(.project), "The row's reference to the project."),
            .required("projectMember", .text, "The member with the project's id."),
            .required(
                "members", .list(.text, atLeast: 1), of: .members,
                "Members that are called as fields are, and are their values."),
            .optional("kept", .name, of: .field(.json), "The json that keeps the list of families as it came."),
            .optional("version", .name, of: .field(ofProject: true), "The projects' field that gets the row's id."),
            .required(
                "called", .text,
                "What a project is called that only the folder tells of; `{id}` is the beginning of its id."),
            .required("families", .object(planFamilies), "The families."),
        ], subject: "entity")

    static let planFamilies = ObjectShape(
        "planFamilies", "The families in the document.",
        [
            .required("entity", .name, "The families' entity."),
            .required("list", .text, "The member with the list of them."),
            .required("project", .name, of: .field(.project), "The reference to the project."),
            .optional("version", .name, of: .field(.reference(to: .outer)), "The reference to the document's row."),
            .required(
                "members", .list(.text, atLeast: 1), of: .members,
                "Members that are called as fields are, and are their values."),
            .required("parameters", .name, of: .field(.json), "The json with the parameters."),
            .required(
                "parameterMembers", .list(.text, atLeast: 1),
                "Members that may hold them; the first that is there counts."),
            .optional("pattern", .text, "Path of members from a parameter to its pattern."),
        ], subject: "entity")

    static let planDocument = ObjectShape(
        "planDocument", "The document with the floors and rooms; members are named by dotted paths.",
        [
            .required("file", .text, "The document's name."),
            .required("level", .object(planDocumentLevel), "Members of floors."),
            .required("room", .object(planDocumentRoom), "Members of rooms."),
            .optional("northFile", .text, "The file that repeats a floor's North; `{key}` is the floor's own name."),
            .optional("roomsFile", .text, "The GeoJSON that repeats a floor's rooms; `{key}` is the floor's own name."),
        ])

    static let planDocumentLevel = ObjectShape(
        "planDocumentLevel", "Members of a floor.",
        [
            .required("list", .text, "The document's list of floors."),
            .required("key", .text, "Its own name."),
            .required("name", .text, "Its name for people."),
            .required("number", .text, "Its number."),
            .required("north", .text, "The North vector."),
            .required("start", .text, "Where the vector starts."),
            .required("end", .text, "Where it ends."),
            .optional("background", .text, "The name of the file with the drawing's lines."),
        ])

    static let planDocumentRoom = ObjectShape(
        "planDocumentRoom", "Members of a room.",
        [
            .required("list", .text, "The floor's list of rooms."),
            .required("key", .text, "Its own name."),
            .required("name", .text, "Its name for people."),
            .required("number", .text, "Its number."),
            .required("polygon", .text, "Its corners."),
        ])
}
