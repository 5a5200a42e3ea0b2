package import Model

/// One mistake in a pack's files: the problem, the place, and the remedy. Its texts are in the
/// core, since the texts of an incorrect pack may be unreadable.
package struct PackMistake: Sendable, Hashable {
    /// Stable codes for programs. Those of expressions are the codes of `ExpressionFailure`.
    package enum Code: String, Sendable, CaseIterable {
        // Files.
        case missingFile = "PACK-MISSING-FILE"
        case unknownFile = "PACK-UNKNOWN-FILE"
        case notUTF8 = "PACK-NOT-UTF8"
        case tooBig = "PACK-TOO-BIG"
        case yaml = "PACK-YAML"
        case anchor = "PACK-ANCHOR"
        // Shape.
        case unknownKey = "PACK-UNKNOWN-KEY"
        case missingKey = "PACK-MISSING-KEY"
        case duplicateKey = "PACK-DUPLICATE-KEY"
        case wrongType = "PACK-WRONG-TYPE"
        case badValue = "PACK-BAD-VALUE"
        case badName = "PACK-BAD-NAME"
        case exclusive = "PACK-EXCLUSIVE"
        // Names.
        case duplicateName = "PACK-DUPLICATE-NAME"
        case unknownName = "PACK-UNKNOWN-NAME"
        case badPath = "PACK-BAD-PATH"
        case notReference = "PACK-NOT-REFERENCE"
        case reservedName = "PACK-RESERVED-NAME"
        case fileName = "PACK-FILE-NAME"
        // Sense.
        case newerFormat = "PACK-NEWER-FORMAT"
        case badPattern = "PACK-BAD-PATTERN"
        case unfitKey = "PACK-UNFIT-KEY"
        case range = "PACK-RANGE"
        case firstField = "PACK-FIRST-FIELD"
        case wrongField = "PACK-WRONG-FIELD"
        case undated = "PACK-UNDATED"
        case cycle = "PACK-CYCLE"
        case columnName = "PACK-COLUMN-NAME"
        case partWay = "PACK-PART-WAY"
        case sheetEntity = "PACK-SHEET-ENTITY"
        case unfitFormat = "PACK-UNFIT-FORMAT"
        case frozenExit = "PACK-FROZEN-EXIT"
        case noExportedState = "PACK-NO-EXPORTED-STATE"
        case secretSeen = "PACK-SECRET-SEEN"
        case sql = "PACK-SQL"
        case query = "PACK-QUERY"
        // Texts.
        case missingText = "PACK-MISSING-TEXT"
        case unknownText = "PACK-UNKNOWN-TEXT"
        case emptyText = "PACK-EMPTY-TEXT"
        case placeholder = "PACK-PLACEHOLDER"
        case unlikePlaceholders = "PACK-UNLIKE-PLACEHOLDERS"
        // Expressions.
        case expressionEnd = "EXPRESSION-END"
        case expressionUnexpected = "EXPRESSION-UNEXPECTED"
        case expressionQuote = "EXPRESSION-QUOTE"
        case expressionFunction = "EXPRESSION-FUNCTION"
        case expressionArguments = "EXPRESSION-ARGUMENTS"
        case expressionLimit = "EXPRESSION-LIMIT"
        case expressionField = "EXPRESSION-FIELD"
        case expressionReference = "EXPRESSION-REFERENCE"
        case expressionType = "EXPRESSION-TYPE"
        case expressionOperand = "EXPRESSION-OPERAND"
        case expressionNull = "EXPRESSION-NULL"
        case expressionDay = "EXPRESSION-DAY"
        case expressionCondition = "EXPRESSION-CONDITION"
    }

    package var code: Code
    package var place: PackPlace
    package var arguments: [String: String]

    package init(_ code: Code, at place: PackPlace, _ arguments: [String: String] = [:]) {
        self.code = code
        self.place = place
        self.arguments = arguments
    }

    package var file: String { place.file }
    package var line: Int { place.line }
    package var column: Int { place.column }

    /// The problem, in one sentence. If the core's texts cannot be read, it is the code with the
    /// arguments.
    package func message(_ texts: Texts, _ language: Language) -> String { words("message", texts, language) }

    /// The remedy, in one sentence.
    package func remedy(_ texts: Texts, _ language: Language) -> String { words("remedy", texts, language) }

    /// The mistake as `file:line:column: message remedy [CODE]`, which editors and terminals
    /// understand.
    ///
    /// - Parameter texts: the texts of any pack, since the core has the words for mistakes.
    package func line(_ texts: Texts, _ language: Language) -> String {
        let spot = line > 0 ? "\(file):\(line):\(column)" : file
        let words = [message(texts, language), remedy(texts, language)].filter { !$0.isEmpty }
        return "\(spot): \(words.joined(separator: " ")) [\(code.rawValue)]"
    }

    private func words(_ part: String, _ texts: Texts, _ language: Language) -> String {
        guard let words = texts.textIfAny("mistake.\(code.rawValue).\(part)", in: language) else {
            return part == "message"
                ? arguments.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") : ""
        }
        var arguments = arguments
        for (name, value) in arguments where PackWord.argumentNames.contains(name) {
            guard let word = PackWord(rawValue: value) else { continue }
            arguments[name] = texts.text(word.textKey, in: language, self.arguments)
        }
        // A suggestion is a separate sentence, so that the message is complete without it.
        let hint = arguments["nearest"].map { texts.text("mistake.hint", in: language, ["nearest": $0]) }
        arguments["hint"] = hint.map { " " + $0 } ?? ""
        return Texts.fill(words, with: arguments)
    }

    /// The keys of the core's texts for mistakes.
    static var textKeys: [String] {
        Code.allCases.flatMap { ["mistake.\($0.rawValue).message", "mistake.\($0.rawValue).remedy"] }
            + PackWord.allCases.map(\.textKey) + ["mistake.hint", "mistake.more"]
    }
}

/// The words in messages about packs: kinds of names, and kinds of values.
enum PackWord: String, CaseIterable {
    // Kinds of values.
    case text, wholeNumber, number, boolean, list, mapping, nothing, date, pattern, expression, path
    // Kinds of names.
    case entity, field, vocabulary, value, role, privacyClass, record, numbering, export, sheet, rule, job, test, state,
        importMapping, lookup
    case language, environment, finding, placeholder, option, format, permission, report, query, section, column,
        textKey
    // Kinds of fields that a key requires.
    case reference, dateField, timeField, textField, numberField, jsonField, schemaField, stateField, photoName,
        openField

    /// The arguments of mistakes whose values are words of this list.
    static let argumentNames: Set<String> = ["kind", "expected", "found"]

    var textKey: String { "mistake.word." + rawValue }
}
