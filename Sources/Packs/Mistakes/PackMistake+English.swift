extension PackMistake.Code {
    /// English words; every argument is filled in by `PackMistake.message(in:)`.
    var english: PackMistake.Words {
        switch self {
        case .missingFile:
            .init(
                "“{name}” is missing.{hint}",
                "Add it, or correct the name of the pack or of the file.")
        case .unknownFile:
            .init(
                "Nothing reads “{name}”: a pack knows no such file.{hint}",
                "Rename, move or remove it; names end in .yaml.")
        case .notUTF8:
            .init(
                "The file is not UTF-8 text.",
                "Save it as UTF-8 without a byte order mark.")
        case .tooBig:
            .init(
                "The pack goes beyond a limit: {limit}.",
                "Split the file or nest less deeply.")
        case .yaml:
            .init(
                "This is no YAML: {problem}.",
                "Look at the indentation, the quotes and the brackets here and just above.")
        case .anchor:
            .init(
                "Anchors, aliases and tags (&, *, !) are not allowed.",
                "Write the values out, or put text that begins with such a sign in quotes.")
        case .unknownKey:
            .init(
                "There is no key “{key}” here.{hint}",
                "Known here: {known}.")
        case .missingKey:
            .init(
                "The key “{key}” is missing.",
                "Add it here.")
        case .duplicateKey:
            .init(
                "The key “{key}” already stands on line {line}.",
                "Keep one of the two.")
        case .wrongType:
            .init(
                "“{key}” must be {expected}, but here is {found}.",
                "Write {expected}.")
        case .badValue:
            .init(
                "“{key}” cannot be “{value}”.{hint}",
                "Allowed: {allowed}.")
        case .badName:
            .init(
                "“{name}” is no proper name.",
                "Write it as {form}.")
        case .exclusive:
            .init(
                "Exactly one of {keys} must stand here.",
                "Keep or add one of them.")
        case .duplicateName:
            .init(
                "The name “{name}” ({kind}) is already taken at {other}.",
                "Give it another name, or remove one of the two.")
        case .unknownName:
            .init(
                "There is no {kind} “{name}”.{hint}",
                "Known: {known}.")
        case .badPath:
            .init(
                "The path “{path}” does not exist: “{entity}” has no field “{name}”.{hint}",
                "Fields of “{entity}”: {known}.")
        case .notReference:
            .init(
                "The path “{path}” cannot go on after “{name}”, which refers to no entity.",
                "End it there, or give the field “references”.")
        case .reservedName:
            .init(
                "The name “{name}” belongs to the replica itself.",
                "Choose another name.")
        case .fileName:
            .init(
                "“{name}” stands in “{file}”: the two names must be the same.",
                "Rename the file or folder, or correct the name.")
        case .newerFormat:
            .init(
                "The pack is written in format {format}; this program knows up to {known}.",
                "Use a newer Fichero for this pack.")
        case .badPattern:
            .init(
                "“{pattern}” is no pattern: {reason} (character {position}).",
                "Correct the pattern (PCRE2), or escape signs that stand for themselves with \\.")
        case .unfitKey:
            .init(
                "“{key}” does not fit a field of type {type}.",
                "Remove it, or change the type to one of: {allowed}.")
        case .range:
            .init(
                "From {minimum} to {maximum} there is nothing.",
                "The first must not be greater than the second.")
        case .firstField:
            .init(
                "The first field of “{entity}” must be “id”.",
                "Begin with: {name: id, type: uuid, required: true}.")
        case .wrongField:
            .init(
                "“{path}” will not do here: {expected} is needed.",
                "Name another field, or change this one in “{entity}”.")
        case .cycle:
            .init(
                "Required references run in a circle: {path}. No row of these entities could ever be the first.",
                "Make one of the references optional.")
        case .columnName:
            .init(
                "The sheet “{sheet}” already has a column “{name}”.",
                "Give one of them another “name”.")
        case .partWay:
            .init(
                """
                “{entity}” cannot be a part by “{path}”: what lies between must be parts too, and the project must be \
                found the same way.
                """,
                "Say also {needed}.")
        case .sheetEntity:
            .init(
                "“{entity}” is no part of the record “{record}”.",
                "Choose one of {known}, or say “rows: referenced” or “rows: project”.")
        case .unfitFormat:
            .init(
                "The format “{format}” does not go with the export “{export}”.",
                "Allowed: {allowed}.")
        case .noExportedState:
            .init(
                """
                “markExported” cannot work: the root “{entity}” knows no move to an exported state, no xlsx is \
                written, or what is made delivers nothing.
                """,
                """
                Remove it, add “exported” to the entity's states, add xlsx to the formats, or say “delivers: true” in \
                the export or report.
                """
            )
        case .secretSeen:
            .init(
                "The role “{role}” may not see “{class}”: fields of the last class never leave the replica.",
                "Remove the class from “sees”.")
        case .sql:
            .init(
                "A query must be one statement that begins with SELECT or WITH.",
                "Write a single reading query without “;” inside.")
        case .query:
            .init("SQLite cannot compile the query: {reason}.", "Correct it, or try it with fichero query.")
        case .missingText:
            .init(
                "The text “{key}” is missing in “{language}”.",
                "Add it to this file.")
        case .unknownText:
            .init(
                "Nothing uses the text “{key}”.{hint}",
                "Correct the key, or remove the text.")
        case .emptyText:
            .init(
                "The text “{key}” is empty.",
                "Write what people are to read.")
        case .placeholder:
            .init(
                "Nothing fills the placeholder “{placeholder}” of “{key}”.{hint}",
                "Known here: {known}.")
        case .unlikePlaceholders:
            .init(
                "The text “{key}” quotes {found} here, and {expected} in “{other}”.",
                "Quote the same in every language, so that nobody is told less.")
        case .expressionEnd:
            .init(
                "The expression “{expression}” ends too early.",
                "Complete it: a value, a name or a closing parenthesis is missing.")
        case .expressionUnexpected:
            .init(
                "“{found}” cannot stand at character {position} of “{expression}”.",
                "Equality is “=”, text stands in single quotes, keywords are lower case.")
        case .expressionQuote:
            .init(
                "The text that begins at character {position} of “{expression}” has no end.",
                "Close it with a single quote; double the quotes inside.")
        case .expressionFunction:
            .init(
                "There is no function “{name}”.",
                "Known: {known}.")
        case .expressionArguments:
            .init(
                "“{name}” takes {expected} values.",
                "Give it as many values.")
        case .expressionLimit:
            .init(
                "The expression is too long or too deeply nested.",
                "Make it shorter, for example with “in (…)”.")
        case .expressionField:
            .init(
                "“{entity}” has no field “{name}” (in “{part}”).{hint}",
                "Fields of “{entity}”: {known}.")
        case .expressionReference:
            .init(
                "“{part}” cannot go on after “{name}”, which leads to no single row.",
                "End the path there.")
        case .expressionType:
            .init(
                "“{part}” compares {left} with {right}.",
                "Put texts in single quotes and numbers without; convert chainages with metres().")
        case .expressionOperand:
            .init(
                "“{operator}” takes {expected}, but “{part}” is {found}.",
                "Give it a value of that type.")
        case .expressionNull:
            .init(
                "“{part}” is never true: nothing equals null.",
                "Write “is null” or “is not null”.")
        case .expressionDay:
            .init(
                "“{part}” is not known here: nothing here may change from one day to the next.",
                """
                Ask for the day in a rule, a condition of a field, a filter or the rows of a report; in SQL, as \
                :today.
                """
            )
        case .expressionCondition:
            .init(
                "“{expression}” is no condition, but {found}.",
                "Compare it with something, so that it is true or false.")
        }
    }
}
