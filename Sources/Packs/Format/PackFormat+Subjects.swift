internal import Model

extension PackFormat {
    static let subjects = ObjectShape(
        "subjects", "The people whom the records are about, and what fichero erase does to their rows.",
        [
            .required("entity", .name, "The entity with one row a person."),
            .optional("identity", .list(.name), "Its fields whose value belongs to one person alone, besides the id."),
            .optional("mentions", .list(.name), "Its fields with words by which a person is found in books and rejected rows."),
            .required("rows", .list(.object(subjectRows)), "What becomes of the rows that lead to the person."),
        ])

    static let subjectRows = ObjectShape(
        "subjectRows", "Rows that lead to a person.",
        [
            .required("entity", .name, "The rows' entity."),
            .required("by", .name, "The reference, or the list of references, that leads to the person."),
            .required("erase", .word(of: SubjectDefinition.Fate.self), "Whether they go, or stay without the reference."),
            .optional("clear", .list(.name), "Further fields that are emptied in rows that stay."),
        ])
}
