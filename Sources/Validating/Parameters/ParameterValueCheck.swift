import JSONReading
import Model
import Patterns

/// Judges one value by its parameter: type first, then bounds, step, length, pattern and options.
struct ParameterValueCheck {
    private let parameter: Parameter
    private let pointer: String

    init(_ parameter: Parameter, pointer: String) {
        self.parameter = parameter
        self.pointer = pointer
    }

    func faults(of value: JSONValue) -> [ParameterCheck.Fault] {
        switch (parameter.kind, value) {
        case (.text, .string(let text)):
            return textFaults(text)
        case (.integer, .number(let digits)), (.decimal, .number(let digits)):
            guard let number = DecimalNumber(digits), parameter.kind == .decimal || number.isWhole else { return [wrongType(value)] }
            return numberFaults(number, digits)
        case (.boolean, .bool):
            return []
        case (.date, .string(let text)):
            let bytes = Array(text.utf8)
            let range = 0..<bytes.count
            return CalendarText.isDate(bytes.span, range) || CalendarText.isInstant(bytes.span, range) ? [] : [wrongType(value)]
        case (.enum, .string(let text)), (.enum, .number(let text)):
            return optionFaults(text)
        case (.list, .array(let items)):
            return items.flatMap { item -> [ParameterCheck.Fault] in
                switch item {
                case .string(let text): textFaults(text) + (parameter.options.isEmpty ? [] : optionFaults(text))
                case .number(let digits) where !parameter.options.isEmpty: optionFaults(digits)
                default: [wrongType(item)]
                }
            }
        default:
            return [wrongType(value)]
        }
    }

    private func fault(_ code: String, _ value: String?, _ arguments: [String: String]) -> ParameterCheck.Fault {
        ParameterCheck.Fault(code: code, parameter: parameter.label, pointer: pointer, value: value, arguments: arguments)
    }

    private func wrongType(_ value: JSONValue) -> ParameterCheck.Fault {
        fault("PARAMETER-TYPE", value.text ?? value.description, ["type": parameter.kind.rawValue])
    }

    private func numberFaults(_ number: DecimalNumber, _ digits: String) -> [ParameterCheck.Fault] {
        var faults: [ParameterCheck.Fault] = []
        let isBelow = parameter.minimum.map { number < $0.number } ?? false
        let isAbove = parameter.maximum.map { number > $0.number } ?? false
        if isBelow || isAbove {
            faults.append(fault(
                "PARAMETER-RANGE", digits,
                [
                    "minimum": parameter.minimum?.text ?? Quotation.minimum(nil), "maximum": parameter.maximum?.text ?? Quotation.maximum(nil),
                    "unit": parameter.unit ?? "",
                ]))
        }
        if let step = parameter.step, let origin = parameter.minimum?.number ?? DecimalNumber("0"),
            number.isMultiple(of: step.number, from: origin) == false {
            faults.append(fault("PARAMETER-STEP", digits, ["step": step.text]))
        }
        return faults
    }

    private func textFaults(_ text: String) -> [ParameterCheck.Fault] {
        var faults: [ParameterCheck.Fault] = []
        let length = text.unicodeScalars.count
        if length < parameter.minimumLength ?? 0 || length > parameter.maximumLength ?? .max {
            faults.append(fault(
                "PARAMETER-LENGTH", nil,
                [
                    "length": String(length), "minimum": String(parameter.minimumLength ?? 0),
                    "maximum": parameter.maximumLength.map(String.init) ?? Quotation.maximum(nil),
                ]))
        }
        if let pattern = parameter.pattern {
            let outcome = pattern.matchesWhole(text)
            if outcome != .matched {
                var arguments = ["pattern": Quotation.shortened(pattern.source)]
                if outcome == .tooCostly { arguments["note"] = "too-costly" }
                faults.append(fault("PARAMETER-PATTERN", text, arguments))
            }
        }
        return faults
    }

    private func optionFaults(_ text: String) -> [ParameterCheck.Fault] {
        if parameter.options.contains(text) { return [] }
        return [fault("PARAMETER-OPTION", text, ["values": Quotation.list(parameter.options)])]
    }
}
