package import Model

/// One mistake in a pack's files: the problem, the place, and the remedy. Its texts are in the
/// program, since a pack with mistakes may have no texts that can be loaded.
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
        case cycle = "PACK-CYCLE"
        case columnName = "PACK-COLUMN-NAME"
        case partWay = "PACK-PART-WAY"
        case sheetEntity = "PACK-SHEET-ENTITY"
        case unfitFormat = "PACK-UNFIT-FORMAT"
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

    /// The problem, in one sentence.
    package func message(in language: Language) -> String {
        words(in: language, \.message)
    }

    /// The remedy, in one sentence.
    package func remedy(in language: Language) -> String {
        words(in: language, \.remedy)
    }

    /// The mistake as `file:line:column: message remedy [CODE]`, which editors and terminals
    /// understand.
    package func line(in language: Language) -> String {
        let spot = line > 0 ? "\(file):\(line):\(column)" : file
        return "\(spot): \(message(in: language)) \(remedy(in: language)) [\(code.rawValue)]"
    }

    private func words(in language: Language, _ part: KeyPath<Words, String>) -> String {
        let words =
            switch language {
            case .spanish: code.spanish
            case .english: code.english
            case .italian: code.italian
            }
        var arguments = arguments
        for (name, value) in arguments where PackWord.argumentNames.contains(name) {
            arguments[name] =
                PackWord(rawValue: value).map { Texts.fill($0.text(in: language), with: self.arguments) } ?? value
        }
        // A suggestion is a sentence of its own, so that the message is complete without it.
        if let nearest = arguments["nearest"] {
            arguments["hint"] = " " + Texts.fill(PackWord.hint(in: language), with: ["nearest": nearest])
        } else {
            arguments["hint"] = ""
        }
        return Texts.fill(words[keyPath: part], with: arguments)
    }

    /// The texts of a mistake in one language, with `{name}` placeholders.
    struct Words {
        var message: String
        var remedy: String

        init(_ message: String, _ remedy: String) {
            self.message = message
            self.remedy = remedy
        }
    }
}
