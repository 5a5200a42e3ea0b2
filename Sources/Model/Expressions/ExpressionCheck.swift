/// Checks the types of an expression for an entity: which names exist, which types are compared,
/// and whether it is a condition. The check finds every mistake, not only the first. Other code
/// checks whether a role may see the fields.
package struct ExpressionCheck {
    /// A value's type in the expression language. Dates, times, ids and JSON are texts.
    package enum ValueType: String, Sendable, Hashable, CaseIterable {
        case text, number, boolean
        /// The type of `null` and of a wrong part; it is compatible with every type.
        case unknown
    }

    package struct Mistake: Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            /// An entity has no field of this name; `known` are the names that it has.
            case unknownField(name: String, entity: String, known: [String])
            /// A path continues after a field that refers to no entity.
            case notReference(name: String, entity: String)
            /// The two sides of a comparison, or the items of `in`, are of different types.
            case mismatch(left: ValueType, right: ValueType)
            /// An operator or a function requires another type.
            case wrongOperand(of: String, expected: ValueType, found: ValueType)
            /// A comparison with the literal `null` is never true.
            case comparedWithNull
            /// The expression asks for the office's day where no office is known.
            case noDay
            /// The expression is not a condition.
            case notCondition(found: ValueType)
        }

        package var reason: Reason
        /// The part of the expression that is wrong, as text.
        package var part: String
    }

    private let entity: Entity
    private let pack: Pack
    private let knowsDay: Bool
    private var mistakes: [Mistake] = []

    private init(entity: Entity, pack: Pack, knowsDay: Bool) {
        self.entity = entity
        self.pack = pack
        self.knowsDay = knowsDay
    }

    /// The mistakes in a condition over the rows of an entity.
    ///
    /// - Parameter knowsDay: whether it is evaluated in a run, which has a date.
    package static func mistakes(inCondition expression: Expression, over entity: Entity, of pack: Pack, knowsDay: Bool)
        -> [Mistake]
    {
        var check = ExpressionCheck(entity: entity, pack: pack, knowsDay: knowsDay)
        let type = check.type(of: expression)
        if type != .boolean, check.mistakes.isEmpty {
            check.mistakes.append(Mistake(reason: .notCondition(found: type), part: expression.description))
        }
        return check.mistakes
    }

    /// The type of any expression over the rows of an entity, and its mistakes.
    package static func type(of expression: Expression, over entity: Entity, in pack: Pack) -> (
        type: ValueType, mistakes: [Mistake]
    ) {
        var check = ExpressionCheck(entity: entity, pack: pack, knowsDay: false)
        return (check.type(of: expression), check.mistakes)
    }

    private mutating func add(_ reason: Mistake.Reason, _ part: Expression) {
        mistakes.append(Mistake(reason: reason, part: part.description))
    }

    private mutating func type(of expression: Expression) -> ValueType {
        switch expression {
        case .text: return .text
        case .number: return .number
        case .boolean: return .boolean
        case .null: return .unknown
        case .field(let path): return type(of: path, expression)
        case .not(let operand):
            expect(.boolean, operand, of: "not")
            return .boolean
        case .negative(let operand):
            expect(.number, operand, of: "-")
            return .number
        case .isNull(let operand, _):
            _ = type(of: operand)
            return .boolean
        case .isIn(let operand, let items, _):
            let left = type(of: operand)
            for item in items { compare(left, type(of: item), literal: item, expression) }
            return .boolean
        case .binary(let operation, let left, let right):
            return type(of: operation, left, right, expression)
        case .call(let function, let arguments):
            if [.today, .officeDay].contains(function), !knowsDay { add(.noDay, expression) }
            return type(of: function, arguments)
        }
    }

    private mutating func type(of path: FieldPath, _ expression: Expression) -> ValueType {
        var owner = entity
        for (index, part) in path.parts.enumerated() {
            guard let field = owner.field(part) else {
                add(.unknownField(name: part, entity: owner.name, known: owner.fields.map(\.name)), expression)
                return .unknown
            }
            if index == path.parts.count - 1 { return field.type.expressionType }
            // A list refers to many rows, but a path must lead to one row.
            guard field.type != .list, let target = field.references, let next = pack.entity(target) else {
                add(.notReference(name: part, entity: owner.name), expression)
                return .unknown
            }
            owner = next
        }
        return .unknown
    }

    private mutating func type(
        of operation: Expression.Operator, _ left: Expression, _ right: Expression, _ whole: Expression
    ) -> ValueType {
        switch operation {
        case .and, .or:
            expect(.boolean, left, of: operation.rawValue)
            expect(.boolean, right, of: operation.rawValue)
            return .boolean
        case .plus, .minus, .times, .dividedBy:
            expect(.number, left, of: operation.rawValue)
            expect(.number, right, of: operation.rawValue)
            return .number
        case .equal, .notEqual:
            let leftType = type(of: left)
            compare(leftType, type(of: right), literal: left == .null ? left : right, whole)
            return .boolean
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let leftType = type(of: left)
            let rightType = type(of: right)
            if leftType == .boolean || rightType == .boolean {
                add(.wrongOperand(of: operation.rawValue, expected: .number, found: .boolean), whole)
            } else {
                compare(leftType, rightType, literal: left == .null ? left : right, whole)
            }
            return .boolean
        }
    }

    private mutating func type(of function: Expression.Function, _ arguments: [Expression]) -> ValueType {
        let name = function.rawValue
        func all(_ type: ValueType, gives result: ValueType, _ check: inout ExpressionCheck) -> ValueType {
            for argument in arguments { check.expect(type, argument, of: name) }
            return result
        }
        switch function {
        case .today: return .text
        case .length, .metres, .year: return all(.text, gives: .number, &self)
        case .lower, .upper, .officeDay, .versionKey: return all(.text, gives: .text, &self)
        case .absolute, .round: return all(.number, gives: .number, &self)
        case .contains, .startsWith: return all(.text, gives: .boolean, &self)
        case .coalesce:
            var result = ValueType.unknown
            for argument in arguments {
                let type = type(of: argument)
                if result == .unknown {
                    result = type
                } else if type != .unknown, type != result {
                    add(.wrongOperand(of: name, expected: result, found: type), argument)
                }
            }
            return result
        }
    }

    private mutating func expect(_ expected: ValueType, _ operand: Expression, of operation: String) {
        let found = type(of: operand)
        if found != expected, found != .unknown {
            add(.wrongOperand(of: operation, expected: expected, found: found), operand)
        }
    }

    private mutating func compare(_ left: ValueType, _ right: ValueType, literal: Expression, _ whole: Expression) {
        if literal == .null {
            add(.comparedWithNull, whole)
        } else if left != right, left != .unknown, right != .unknown {
            add(.mismatch(left: left, right: right), whole)
        }
    }
}

extension FieldType {
    /// The type of this field type's values in the expression language.
    package var expressionType: ExpressionCheck.ValueType {
        switch self {
        case .integer, .decimal: .number
        case .boolean: .boolean
        case .text, .date, .time, .datetime, .uuid, .json, .point, .polygon, .list: .text
        }
    }
}
