import Schemas

/// A fault of a parameter in the form of a finding, with the value as written.
struct ParameterFault {
    var code: String
    /// The parameter's displayed name; empty when the fault concerns all parameters.
    var parameter: String
    /// JSON pointer to the value.
    var pointer: String?
    var value: String?
    var arguments: [String: String] = [:]

    init(code: String, parameter: String, pointer: String?, value: String? = nil, arguments: [String: String] = [:]) {
        (self.code, self.parameter, self.pointer, self.value, self.arguments) = (
            code, parameter, pointer, value, arguments
        )
    }

    /// Converts a fault of the schema's program to a finding, depending on its keyword.
    init(_ fault: SchemaFault, of schema: ParameterSchema, program: SchemaProgram) {
        let parts = fault.pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map(ParameterListForm.plain)
        let parameter = parts.first.flatMap { name in
            schema.parameters.first { $0.key == name || $0.otherNames.contains(name) }
        }
        let label = parameter?.label ?? parts.first ?? ""
        let name = ([label] + parts.dropFirst()).joined(separator: "/")
        self.init(
            code: "PARAMETER-RULE", parameter: Quotation.shortened(label), pointer: Self.shortened(fault.pointer),
            value: fault.value)
        if let limit = fault.limit, fault.keyword.isEmpty {
            (code, arguments, value) = ("PARAMETER-LIMIT", ["limit": limit.rawValue], nil)
            return
        }
        explain(fault, of: parameter, name: name, schema, program)
        if let limit = fault.limit, limit != .pattern { arguments["note"] = limit.rawValue }
    }

    /// Chooses the code and its arguments by the keyword that the value breaks.
    ///
    /// - Parameter name: the displayed path of the value, which begins with the parameter's label.
    private mutating func explain(
        _ fault: SchemaFault, of parameter: Parameter?, name: String, _ schema: ParameterSchema,
        _ program: SchemaProgram
    ) {
        let extras = program.extras(of: fault.node)
        switch fault.keyword {
        case "required", "dependentRequired":
            let missing = schema.parameters.first { $0.key == fault.expected }?.label ?? fault.expected
            code = "PARAMETER-REQUIRED"
            self.parameter = Quotation.shortened(name.isEmpty ? missing : name + "/" + fault.expected)
            pointer = Self.shortened(fault.pointer + "/" + ParameterListForm.escaped(fault.expected))
        case "type", "format":
            (code, arguments) = (
                "PARAMETER-TYPE", ["type": extras.type ?? Self.words[fault.expected] ?? fault.expected]
            )
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            let bounds = program.bounds(of: fault.node)
            code = "PARAMETER-RANGE"
            arguments = [
                "minimum": bounds.minimum ?? Quotation.minimum(nil),
                "maximum": bounds.maximum ?? Quotation.maximum(nil),
                "unit": extras.unit ?? parameter?.unit ?? "",
            ]
        case "multipleOf":
            (code, arguments) = ("PARAMETER-STEP", ["step": fault.expected])
        case "minLength", "maxLength":
            let lengths = program.lengths(of: fault.node)
            (code, value) = ("PARAMETER-LENGTH", nil)
            arguments = [
                "length": String(fault.count ?? 0), "minimum": String(lengths.minimum ?? 0),
                "maximum": lengths.maximum.map(String.init) ?? Quotation.maximum(nil),
            ]
        case "pattern":
            (code, arguments) = ("PARAMETER-PATTERN", ["pattern": Quotation.shortened(fault.expected)])
            if fault.limit == .pattern { arguments["note"] = "too-costly" }
        case "enum", "const":
            (code, arguments) = ("PARAMETER-OPTION", ["values": Self.listed(fault.expected)])
        case "additionalProperties", "unevaluatedProperties":
            (code, value) = ("PARAMETER-UNKNOWN", nil)
            self.parameter = Quotation.shortened(name)
        default:
            arguments = ["keyword": fault.keyword, "location": Quotation.shortened(fault.location)]
            value = nil
        }
    }

    /// The displayed words for JSON Schema's types, if they differ from the standard's words.
    private static let words = ["string": "text", "number": "decimal", "array": "list"]

    static func pointer(_ key: String) -> String {
        "/" + ParameterListForm.escaped(Quotation.shortened(key))
    }

    private static func shortened(_ pointer: String) -> String {
        pointer.utf8.count > 400 ? String(pointer.prefix(400)) + "…" : pointer
    }

    /// As many options as fit into a message.
    private static func listed(_ options: String) -> String {
        options.count > 400 ? String(options.prefix(400)) + "…" : options
    }
}
