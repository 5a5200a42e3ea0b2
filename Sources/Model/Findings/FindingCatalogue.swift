/// Every finding code that the program itself can report; a pack's rules add theirs.
/// Texts: `finding.CODE` (title), `finding.CODE.message`, `finding.CODE.remedy`.
package enum FindingCatalogue {
    package struct Declaration: Sendable, Hashable {
        package var code: String
        package var severity: Severity
        /// Names of the placeholders in its message, beside `{table}`, `{key}` and `{field}`, which every message may use.
        package var arguments: [String]
    }

    package static let declarations: [Declaration] = [
        // One field of one row.
        .init(code: "FIELD-REQUIRED", severity: .error, arguments: []),
        .init(code: "FIELD-TYPE", severity: .error, arguments: ["value", "type"]),
        .init(code: "FIELD-RANGE", severity: .error, arguments: ["value", "minimum", "maximum", "unit"]),
        .init(code: "FIELD-LENGTH", severity: .error, arguments: ["length", "minimum", "maximum"]),
        .init(code: "FIELD-PATTERN", severity: .error, arguments: ["value", "pattern"]),
        .init(code: "FIELD-VOCABULARY", severity: .error, arguments: ["value", "vocabulary", "values"]),
        .init(code: "FIELD-UNIQUE", severity: .error, arguments: ["value", "count"]),
        .init(code: "FIELD-REFERENCE", severity: .error, arguments: ["value", "target"]),
        // Family parameters.
        .init(code: "PARAMETER-REQUIRED", severity: .error, arguments: ["parameter"]),
        .init(code: "PARAMETER-TYPE", severity: .error, arguments: ["parameter", "value", "type"]),
        .init(code: "PARAMETER-RANGE", severity: .error, arguments: ["parameter", "value", "minimum", "maximum", "unit"]),
        .init(code: "PARAMETER-STEP", severity: .error, arguments: ["parameter", "value", "step"]),
        .init(code: "PARAMETER-LENGTH", severity: .error, arguments: ["parameter", "length", "minimum", "maximum"]),
        .init(code: "PARAMETER-PATTERN", severity: .error, arguments: ["parameter", "value", "pattern"]),
        .init(code: "PARAMETER-OPTION", severity: .error, arguments: ["parameter", "value", "values"]),
        .init(code: "PARAMETER-SCOPE", severity: .error, arguments: ["parameter", "scope"]),
        .init(code: "PARAMETER-UNKNOWN", severity: .warning, arguments: ["parameter"]),
        .init(code: "PARAMETER-RULE", severity: .error, arguments: ["parameter", "keyword", "location"]),
        .init(code: "PARAMETER-LIMIT", severity: .error, arguments: ["parameter", "limit"]),
        .init(code: "SCHEMA-INVALID", severity: .error, arguments: ["family", "reason"]),
        .init(code: "SCHEMA-DIFFERENCE", severity: .note, arguments: ["family", "parameter", "version", "captured", "current"]),
        // The files of photos, opened by rules of the kind `photo`.
        .init(code: "PHOTO-FILE-MISSING", severity: .warning, arguments: []),
        .init(code: "PHOTO-UNREADABLE", severity: .error, arguments: ["limit"]),
        .init(code: "PHOTO-NOT-JPEG", severity: .error, arguments: []),
        .init(code: "PHOTO-TRUNCATED", severity: .error, arguments: ["bytes"]),
        .init(code: "PHOTO-TOO-LARGE", severity: .warning, arguments: ["width", "height", "maximum"]),
        .init(code: "PHOTO-SIZE", severity: .error, arguments: ["recorded", "found"]),
        .init(code: "PHOTO-CHECKSUM", severity: .error, arguments: []),
        .init(code: "PHOTO-TIME", severity: .warning, arguments: ["recorded", "found"]),
        .init(code: "PHOTO-PLACE", severity: .warning, arguments: ["distance", "maximum"]),
        // Rules that could not be judged.
        .init(code: "RULE-TIMEOUT", severity: .error, arguments: ["rule", "seconds"]),
        // What an export had to change so that a format can hold it.
        .init(code: "TEXT-CHARACTER", severity: .warning, arguments: ["count", "sheet"]),
        .init(code: "TEXT-LONG", severity: .warning, arguments: ["count", "sheet", "limit", "overflow"]),
        .init(code: "TEXT-FORMULA", severity: .note, arguments: ["count", "sheet"]),
        .init(code: "SHEET-SPLIT", severity: .note, arguments: ["sheet", "rows", "limit", "sheets"]),
        .init(code: "SHEET-RENAMED", severity: .note, arguments: ["name", "sheet"]),
        .init(code: "PHOTO-MISSING", severity: .warning, arguments: ["name"]),
        .init(code: "PHOTO-CHANGED", severity: .error, arguments: ["name"]),
        // Import.
        .init(code: "IMPORT-UNKNOWN-FIELD", severity: .warning, arguments: ["name"]),
        .init(code: "IMPORT-UNKNOWN-ENTITY", severity: .error, arguments: ["name"]),
        .init(code: "IMPORT-UNREADABLE", severity: .error, arguments: ["reason"]),
        .init(code: "IMPORT-NO-ID", severity: .error, arguments: []),
        .init(code: "IMPORT-DUPLICATE", severity: .error, arguments: ["value"]),
        .init(code: "IMPORT-CONFLICT", severity: .warning, arguments: []),
        .init(code: "IMPORT-CLOSED", severity: .warning, arguments: ["state"]),
        .init(code: "IMPORT-CLOSED-PART", severity: .error, arguments: ["state"]),
        .init(code: "IMPORT-CHECKSUM", severity: .error, arguments: ["name", "expected", "found"]),
        // What a mapping finds in a foreign file.
        .init(code: "IMPORT-NO-NUMBER", severity: .error, arguments: ["cell", "value"]),
        .init(code: "IMPORT-NO-DATE", severity: .error, arguments: ["cell", "value", "forms"]),
        .init(code: "IMPORT-NO-RANGE", severity: .error, arguments: ["cell", "value"]),
        .init(code: "IMPORT-WAITS", severity: .error, arguments: ["count", "target", "reject"]),
        .init(code: "IMPORT-PLACE-UNKNOWN", severity: .error, arguments: []),
        .init(code: "IMPORT-NO-ROW-ABOVE", severity: .error, arguments: ["name"]),
        .init(code: "IMPORT-OTHER-PROJECT", severity: .error, arguments: ["cell", "value", "project"]),
        .init(code: "IMPORT-MAPPING-CHANGED", severity: .warning, arguments: ["path"]),
        .init(code: "IMPORT-NO-CHAINAGE", severity: .error, arguments: ["cell", "value"]),
        .init(code: "IMPORT-NO-YES-NO", severity: .error, arguments: ["cell", "value"]),
        .init(code: "IMPORT-NOT-IN-LOOKUP", severity: .error, arguments: ["cell", "value", "lookup"]),
        .init(code: "IMPORT-NOT-ALLOWED", severity: .error, arguments: ["name", "role"]),
        .init(code: "IMPORT-NO-MATCH", severity: .error, arguments: ["cell", "value", "pattern"]),
        .init(code: "IMPORT-ERROR-CELL", severity: .error, arguments: ["cell", "value"]),
        .init(code: "IMPORT-NO-KEY", severity: .error, arguments: ["name"]),
        .init(code: "IMPORT-AMBIGUOUS", severity: .error, arguments: ["value", "target"]),
        .init(code: "IMPORT-UNMAPPED-TABLE", severity: .warning, arguments: ["name", "mapping"]),
        .init(code: "IMPORT-UNUSED-COLUMN", severity: .warning, arguments: ["name", "columns"]),
        // What a reader of foreign files could not read, or guessed.
        .init(code: "IMPORT-CODE-PAGE", severity: .warning, arguments: ["driver", "count", "encoding"]),
        .init(code: "IMPORT-NO-MEMO", severity: .warning, arguments: ["columns"]),
        .init(code: "IMPORT-UNREADABLE-COLUMN", severity: .warning, arguments: ["column", "name", "type"]),
        .init(code: "IMPORT-LINKED-TABLE", severity: .warning, arguments: ["name"]),
        .init(code: "IMPORT-INNER-TABLE", severity: .note, arguments: ["names"]),
        .init(code: "IMPORT-ALIKE", severity: .warning, arguments: ["name", "other", "likeness"]),
        .init(code: "IMPORT-SEVERAL", severity: .warning, arguments: ["name", "value", "others"]),
        .init(code: "IMPORT-NO-LABEL", severity: .warning, arguments: ["name", "labels", "nearest", "sheets"]),
        .init(code: "IMPORT-NO-OUTER-LABEL", severity: .warning, arguments: ["name", "labels", "nearest", "sheets"]),
        .init(code: "IMPORT-UNREAD-CELL", severity: .warning, arguments: ["count", "cells"]),
        .init(code: "IMPORT-UNREAD-FORM", severity: .error, arguments: ["sheet", "count", "cells", "label"]),
        .init(code: "IMPORT-REPEATED-LABEL", severity: .warning, arguments: ["name", "sheet", "cells"]),
        .init(code: "IMPORT-NO-FORM-TABLE", severity: .error, arguments: ["name", "sheet", "columns"]),
        .init(code: "IMPORT-NO-PICTURE", severity: .warning, arguments: ["cell"]),
        .init(code: "IMPORT-COUNT", severity: .error, arguments: ["name", "expected", "found"]),
        .init(code: "IMPORT-MISSING-FILE", severity: .error, arguments: ["name"]),
        .init(code: "IMPORT-NO-PHOTO-FILE", severity: .warning, arguments: ["name", "places"]),
        .init(code: "IMPORT-EXTRA-FILE", severity: .warning, arguments: ["name"]),
        // Logs of events, floor plans.
        .init(code: "EVENT-GAP", severity: .warning, arguments: ["type", "entity", "record"]),
        .init(code: "EVENT-TYPE-UNKNOWN", severity: .error, arguments: ["type"]),
        .init(code: "EVENT-STATE-DIFFERS", severity: .warning, arguments: ["record", "name", "snapshot", "events"]),
        .init(code: "EVENT-DELETED", severity: .warning, arguments: ["record", "entity"]),
        .init(code: "PLAN-PATTERN-ESCAPED", severity: .warning, arguments: ["family", "parameter", "pattern"]),
        .init(code: "PLAN-BACKGROUND-MISSING", severity: .warning, arguments: ["level", "name"]),
        .init(code: "PLAN-FILES-DIFFER", severity: .warning, arguments: ["level", "name"]),
        .init(code: "PLAN-POINTS-REPEATED", severity: .note, arguments: ["room", "count"]),
        .init(code: "PLAN-LEVEL-ORDER", severity: .warning, arguments: ["levels"]),
        .init(code: "PLAN-NORTH", severity: .error, arguments: ["level", "count"]),
        .init(code: "DRAWING-UNITS", severity: .warning, arguments: ["units"]),
        .init(code: "DRAWING-LAYER", severity: .warning, arguments: ["layer", "handle", "x", "y", "count"]),
        .init(code: "DRAWING-ENTITY", severity: .error, arguments: ["type", "layer", "handle", "x", "y", "count"]),
        .init(code: "DRAWING-BLOCK", severity: .warning, arguments: ["name", "layer", "handle", "x", "y"]),
        .init(code: "DRAWING-OPEN", severity: .error, arguments: ["layer", "handle", "x", "y", "gap"]),
        .init(code: "DRAWING-CROSSING", severity: .error, arguments: ["layer", "handle", "x", "y"]),
        .init(code: "DRAWING-OVERLAP", severity: .error, arguments: ["layer", "handle", "x", "y", "other"]),
        .init(code: "DRAWING-OUTSIDE", severity: .error, arguments: ["layer", "handle", "x", "y"]),
        .init(code: "DRAWING-LABELS", severity: .error, arguments: ["layer", "handle", "x", "y", "count", "labels"]),
        .init(code: "DRAWING-LABEL-LOST", severity: .warning, arguments: ["layer", "handle", "x", "y", "text"]),
        .init(code: "DRAWING-NORTH", severity: .error, arguments: ["layer", "handle", "x", "y"]),
        .init(code: "DRAWING-NO-LEVEL", severity: .error, arguments: []),
        .init(code: "DRAWING-LEVEL-ORDER", severity: .warning, arguments: ["levels"]),
        .init(code: "DRAWING-NUMBERS", severity: .error, arguments: ["layer", "handle", "x", "y", "level", "count"]),
    ]

    package static func severity(of code: String) -> Severity? {
        declarations.first { $0.code == code }?.severity
    }
}
