import JSONReading
import Model
import Schemas

/// Checks the parameter values of types or instances, one after the other, against their family's
/// schema.
///
/// The compiled program checks the values. This type adds the distinction between parameters of
/// types and of instances, and the conditions under which a parameter is required.
final class ParameterCheck {
    typealias Fault = ParameterFault

    private let schema: ParameterSchema
    private let scope: ParameterSchema.Scope
    private let hasOtherScope: Bool
    private let hasConditions: Bool
    private var machine: SchemaMachine
    private var expressions = ExpressionMachine()
    /// By parameter: the tokens of its key and of its value; -1: none.
    private var keys: [Int]
    private var given: [Int]
    private var row: RowBatch

    init(_ schema: ParameterSchema, scope: ParameterSchema.Scope) {
        self.schema = schema
        self.scope = scope
        hasOtherScope = schema.parameters.contains { $0.scope != scope }
        hasConditions = schema.parameters.contains { $0.requiredWhen != nil && $0.scope == scope }
        machine = SchemaMachine(schema.program(for: scope))
        keys = Array(repeating: -1, count: schema.parameters.count)
        given = keys
        row = RowBatch(columnCount: schema.conditionColumns.count, rowCapacity: 1, textCapacity: 256)
    }

    /// Every fault of an object, in the order of the schema. Unknown names are last, in the order
    /// of the object.
    func faults(of document: JSONDocument) -> [Fault] {
        var faults: [(index: Int, fault: Fault)] = []
        if hasOtherScope || hasConditions {
            find(in: document)
            if hasOtherScope { misplaced(document, &faults) }
            if hasConditions { missing(document, &faults) }
        }
        let found = machine.faults(of: document)
        guard !found.isEmpty || !faults.isEmpty else { return [] }
        for fault in found {
            let translated = Fault(fault, of: schema, program: machine.program)
            faults.append((index(of: fault, translated), translated))
        }
        return faults.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }.map(
            \.element.fault)
    }

    func faults(of values: [JSONValue.Member]) -> [Fault] {
        guard let document = try? JSONDocument(.object(values)) else { return [] }
        return faults(of: document)
    }

    private func index(of fault: SchemaFault, _ translated: Fault) -> Int {
        if translated.code == "PARAMETER-UNKNOWN" { return .max }
        if fault.pointer.isEmpty {
            return fault.keyword == "required" ? max(0, schema.names.slot(fault.expected)) : .max - 1
        }
        let name = ParameterListForm.plain(fault.pointer.dropFirst().prefix { $0 != "/" })
        let slot = schema.names.slot(name)
        return slot < 0 ? .max - 1 : slot
    }

    // MARK: which parameters were given

    private func find(in document: JSONDocument) {
        let (tokens, bytes) = (document.tokens, document.bytes)
        for index in given.indices { (keys[index], given[index]) = (-1, -1) }
        guard tokens.first?.kind == .object, let end = tokens.first?.end else { return }
        var key = 1
        while key < end {
            let index = schema.names.slot(tokens[key].number, bytes, tokens[key].range)
            if index >= 0, keys[index] < 0 {
                let value = schema.isLenient ? JSONWrapping.unwrapped(key + 1, tokens, bytes) : key + 1
                keys[index] = key
                if !schema.isLenient || !JSONWrapping.isMissing(value, tokens, bytes) { given[index] = value }
            }
            key = tokens[key + 1].end
        }
    }

    /// Adds a fault for each value of a parameter that belongs to the other scope.
    private func misplaced(_ document: JSONDocument, _ faults: inout [(index: Int, fault: Fault)]) {
        for (index, value) in given.enumerated() where value >= 0 && schema.parameters[index].scope != scope {
            let parameter = schema.parameters[index]
            faults.append(
                (
                    index,
                    Fault(
                        code: "PARAMETER-SCOPE", parameter: parameter.label, pointer: pointer(index, document),
                        arguments: ["scope": parameter.scope.rawValue])
                ))
        }
    }

    private func pointer(_ index: Int, _ document: JSONDocument) -> String {
        Fault.pointer(keys[index] < 0 ? schema.parameters[index].key : document.text(keys[index]))
    }

    // MARK: conditions

    /// Adds a fault for each missing value whose condition requires it.
    private func missing(_ document: JSONDocument, _ faults: inout [(index: Int, fault: Fault)]) {
        var isFilled = false
        for (index, parameter) in schema.parameters.enumerated() where given[index] < 0 && parameter.scope == scope {
            guard let condition = parameter.requiredWhen else { continue }
            if !isFilled { fill(document) }
            isFilled = true
            if expressions.truth(of: condition, cells: row.cells, at: 0, text: row.text) == .yes {
                faults.append(
                    (
                        index,
                        Fault(code: "PARAMETER-REQUIRED", parameter: parameter.label, pointer: pointer(index, document))
                    ))
            }
        }
    }

    /// Writes the values that conditions use into a row.
    private func fill(_ document: JSONDocument) {
        row.removeAll()
        for index in schema.conditionColumns {
            let value = given[index]
            guard value >= 0 else {
                row.appendNull()
                continue
            }
            let token = document.tokens[value]
            switch token.kind {
            case .yes: row.append(Int64(1))
            case .no: row.append(Int64(0))
            case .number:
                let digits = document.text(value)
                if let integer = Int64(digits) {
                    row.append(integer)
                } else if let real = Double(digits) {
                    row.append(real)
                } else {
                    row.appendNull()
                }
            case .string: row.append(String(decoding: document.bytes[token.range], as: UTF8.self))
            case .null, .array, .object: row.appendNull()
            }
        }
        row.endRow()
    }
}
