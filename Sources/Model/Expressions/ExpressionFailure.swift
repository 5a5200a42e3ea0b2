/// The first mistake in an expression from outside a pack: `--where`, or a job of the office.
///
/// Its codes and placeholders are those of mistakes in packs, but it has separate texts.
package struct ExpressionFailure: Failure, Hashable {
    package var code: String
    package var arguments: [String: String]
    package var exitCode: ExitCode { .usage }

    /// `position` in the arguments is counted from 1.
    package init(_ mistake: ExpressionParser.Mistake, in source: String) {
        arguments = ["expression": source, "position": String(mistake.offset + 1)]
        switch mistake.reason {
        case .unexpectedEnd:
            code = "EXPRESSION-END"
        case .unexpected(let word):
            code = "EXPRESSION-UNEXPECTED"
            arguments["found"] = word
        case .unclosedText:
            code = "EXPRESSION-QUOTE"
        case .unknownFunction(let name):
            code = "EXPRESSION-FUNCTION"
            arguments["name"] = name
            arguments["known"] = Expression.Function.allCases.map(\.rawValue).sorted().joined(separator: ", ")
        case .wrongArgumentCount(let function, let expected):
            code = "EXPRESSION-ARGUMENTS"
            arguments["name"] = function
            arguments["expected"] = expected
        case .tooDeep, .tooLong:
            code = "EXPRESSION-LIMIT"
        }
    }

    package init(_ mistake: ExpressionCheck.Mistake, in source: String) {
        arguments = ["expression": source, "part": mistake.part]
        switch mistake.reason {
        case .unknownField(let name, let entity, let known):
            code = "EXPRESSION-FIELD"
            arguments["name"] = name
            arguments["entity"] = entity
            arguments["known"] = known.joined(separator: ", ")
        case .notReference(let name, let entity):
            code = "EXPRESSION-REFERENCE"
            arguments["name"] = name
            arguments["entity"] = entity
        case .mismatch(let left, let right):
            code = "EXPRESSION-TYPE"
            arguments["left"] = left.rawValue
            arguments["right"] = right.rawValue
        case .wrongOperand(let operation, let expected, let found):
            code = "EXPRESSION-OPERAND"
            arguments["operator"] = operation
            arguments["expected"] = expected.rawValue
            arguments["found"] = found.rawValue
        case .comparedWithNull:
            code = "EXPRESSION-NULL"
        case .noDay:
            code = "EXPRESSION-DAY"
        case .notCondition(let found):
            code = "EXPRESSION-CONDITION"
            arguments["found"] = found.rawValue
        }
    }

    /// Parses a condition over the rows of an entity and checks its types. Throws the first
    /// mistake.
    package static func condition(
        _ source: String, over entity: Entity, of pack: Pack
    ) throws(ExpressionFailure) -> Expression {
        let expression: Expression
        do {
            expression = try ExpressionParser.parse(source)
        } catch {
            throw ExpressionFailure(error, in: source)
        }
        if let first = ExpressionCheck.mistakes(inCondition: expression, over: entity, of: pack, knowsDay: true).first {
            throw ExpressionFailure(first, in: source)
        }
        return expression
    }
}
