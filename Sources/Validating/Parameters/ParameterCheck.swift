import JSONReading
import Model
import Patterns

/// Judges the parameter values of one type or instance by its family's schema.
struct ParameterCheck {
    /// What is wrong, with the value still as it was written.
    struct Fault {
        var code: String
        var parameter: String
        /// JSON pointer to the value.
        var pointer: String?
        var value: String?
        var arguments: [String: String] = [:]
    }

    private let list: ParameterList
    private let scope: ParameterSchema.Scope

    init(_ schema: ParameterSchema, scope: ParameterSchema.Scope) {
        switch schema {
        case .list(let list): self.list = list
        }
        self.scope = scope
    }

    /// Every fault of some values, in the order of the schema; unknown names come last, as they were written.
    func faults(of values: [JSONValue.Member]) -> [Fault] {
        var given: [JSONValue?] = Array(repeating: nil, count: list.parameters.count)
        var names = list.parameters.map(\.key)
        var unknown: [Fault] = []
        for member in values {
            guard let index = list.indexes[member.key] else {
                let name = Quotation.shortened(member.key)
                unknown.append(Fault(code: "PARAMETER-UNKNOWN", parameter: name, pointer: Self.pointer(member.key)))
                continue
            }
            if given[index] == nil {
                given[index] = Self.unwrapped(member.value)
                names[index] = member.key
            }
        }
        var faults: [Fault] = []
        for (index, parameter) in list.parameters.enumerated() {
            let pointer = Self.pointer(names[index])
            guard let value = given[index], !Self.isMissing(value) else {
                if parameter.scope == scope, isRequired(parameter, given) {
                    faults.append(Fault(code: "PARAMETER-REQUIRED", parameter: parameter.label, pointer: pointer))
                }
                continue
            }
            guard parameter.scope == scope else {
                faults.append(Fault(
                    code: "PARAMETER-SCOPE", parameter: parameter.label, pointer: pointer, arguments: ["scope": parameter.scope.rawValue]))
                continue
            }
            faults += ParameterValueCheck(parameter, pointer: pointer).faults(of: value)
        }
        return faults + unknown
    }

    static func pointer(_ key: String) -> String {
        "/" + Quotation.shortened(key).replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private static func isMissing(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        default: false
        }
    }

    /// The plain value of `{"type": "number", "numberValue": 3}`; any other value as it is.
    private static func unwrapped(_ value: JSONValue) -> JSONValue {
        guard let members = value.members, value["type"]?.text != nil else { return value }
        let held = members.filter { $0.key.hasSuffix("Value") && $0.value != .null }
        return held.first?.value ?? .null
    }

    private func isRequired(_ parameter: Parameter, _ given: [JSONValue?]) -> Bool {
        if parameter.isRequired { return true }
        guard let condition = parameter.requiredWhen else { return false }
        var row = RowBatch(columnCount: given.count, rowCapacity: 1, textCapacity: 256)
        for value in given {
            switch value {
            case .bool(let flag): row.append(flag ? Int64(1) : 0)
            case .number(let digits):
                if let integer = Int64(digits) { row.append(integer) } else if let real = Double(digits) { row.append(real) } else { row.appendNull() }
            case .string(let text): row.append(text)
            case nil, .null, .array, .object: row.appendNull()
            }
        }
        row.endRow()
        var machine = ExpressionMachine()
        return machine.truth(of: condition, cells: row.cells, at: 0, text: row.text) == .yes
    }
}
