internal import JSONReading
internal import Patterns

/// The vocabulary of validation: keywords about a value by itself.
extension SchemaCompiler {
    mutating func validation() {
        type()
        numbers()
        lengths()
        pattern()
        constants()
        for (keyword, step) in [
            ("minItems", SchemaStep.minItems), ("maxItems", SchemaStep.maxItems),
            ("minProperties", SchemaStep.minProperties),
            ("maxProperties", SchemaStep.maxProperties),
        ] {
            if let count = count(keyword) { emit(step(count), keyword) }
        }
        ordered("minItems", "maxItems")
        ordered("minProperties", "maxProperties")
        switch value["uniqueItems"] {
        case nil, .bool(false): break
        case .bool(true): emit(.uniqueItems, "uniqueItems")
        default: fail("uniqueItems", "`uniqueItems` is neither true nor false")
        }
        if let members = value["dependentRequired"] { dependentRequired(members) }
    }

    private mutating func type() {
        guard let given = value["type"] else { return }
        var types: TypeSet = []
        for item in given.items ?? [given] {
            guard let name = item.text, let type = TypeSet.names.first(where: { $0.name == name })?.type else {
                return fail("type", "`type` is none of: " + TypeSet.names.map(\.name).joined(separator: ", "))
            }
            types.insert(type)
        }
        guard !types.isEmpty else { return fail("type", "`type` names no type") }
        emit(.type(types), "type")
    }

    private mutating func constants() {
        if let items = value["enum"] {
            guard let items = items.items else { return fail("enum", "`enum` is no list") }
            emit(.options(options(items)), "enum")
        }
        if let constant = value["const"] { emit(.constant(self.constant(constant)), "const") }
    }

    private mutating func options(_ items: [JSONValue]) -> Int {
        var plan = OptionsPlan()
        plan.texts = KeyTable(items.compactMap(\.text).map { ($0, 0) })
        plan.others = items.filter { $0.text == nil }.map { constant($0) }
        var description = ""
        for item in items {
            guard description.utf8.count < 400 else {
                description += ", …"
                break
            }
            description += (description.isEmpty ? "" : ", ") + (item.text ?? item.description)
        }
        plan.description = description
        program.options.append(plan)
        return program.options.count - 1
    }

    // MARK: numbers

    private mutating func numbers() {
        let minimum = number("minimum"), maximum = number("maximum")
        let above = number("exclusiveMinimum"), below = number("exclusiveMaximum")
        if let minimum { emit(.minimum(minimum), "minimum") }
        if let above { emit(.exclusiveMinimum(above), "exclusiveMinimum") }
        if let maximum { emit(.maximum(maximum), "maximum") }
        if let below { emit(.exclusiveMaximum(below), "exclusiveMaximum") }
        if let minimum, let maximum, program.numbers[minimum].number > program.numbers[maximum].number {
            fail("minimum", "`minimum` is above `maximum`")
        }
        guard let step = number("multipleOf") else { return }
        guard program.numbers[step].number.isPositive else {
            return fail("multipleOf", "`multipleOf` is not above zero")
        }
        guard program.numbers[step].number.canBeStep else {
            return fail("multipleOf", "`multipleOf` has more than 18 digits")
        }
        var origin = -1
        if options.readsExtras, let given = number("x-step-from") { origin = given }
        emit(.multipleOf(step, from: origin), "multipleOf")
    }

    private mutating func number(_ keyword: String) -> Int? {
        guard let given = value[keyword] else { return nil }
        guard case .number(let text) = given, let number = DecimalNumber(text) else {
            fail(keyword, "`\(keyword)` is no number, or one beyond 10 to the power of ±1000")
            return nil
        }
        program.numbers.append(NumberPlan(number: number, text: text))
        return program.numbers.count - 1
    }

    mutating func count(_ keyword: String) -> Int? {
        guard let given = value[keyword] else { return nil }
        guard case .number(let text) = given, let number = DecimalNumber(text), number.isWhole, !(number < .zero) else {
            fail(keyword, "`\(keyword)` is no whole number from 0 on")
            return nil
        }
        return Int(text) ?? Double(text).flatMap { Int(exactly: $0) } ?? .max
    }

    // MARK: texts

    private mutating func lengths() {
        if let count = count("minLength") { emit(.minLength(count), "minLength") }
        if let count = count("maxLength") { emit(.maxLength(count), "maxLength") }
        ordered("minLength", "maxLength")
    }

    /// Reports bounds that no value can satisfy, which indicate a mistake in the schema.
    private mutating func ordered(_ least: String, _ most: String) {
        guard case .number(let low)? = value[least], case .number(let high)? = value[most],
            let low = DecimalNumber(low),
            let high = DecimalNumber(high), low > high, options.readsExtras
        else { return }
        fail(least, "`\(least)` is above `\(most)`")
    }

    private mutating func pattern() {
        guard let given = value["pattern"] else { return }
        guard let source = given.text else { return fail("pattern", "`pattern` is no text") }
        let isWhole = options.readsExtras && value["x-whole-pattern"] == .bool(true)
        if let pattern = pattern(source, isWhole ? .whole : .anywhere, "pattern") { emit(.pattern(pattern), "pattern") }
    }

    mutating func pattern(_ source: String, _ reach: Pattern.Reach, _ keyword: String) -> Int? {
        do {
            program.patterns.append(PatternPlan(pattern: try Pattern(source, reach: reach)))
            return program.patterns.count - 1
        } catch {
            fail(keyword, "the pattern is wrong at character \(error.offset + 1): \(error.reason)")
            return nil
        }
    }

    mutating func format() {
        guard let given = value["format"] else { return }
        guard let name = given.text else { return fail("format", "`format` is no text") }
        // Unknown formats are ignored.
        if let format = SchemaFormat(rawValue: name) { emit(.format(format), "format") }
    }

    // MARK: names

    mutating func names(_ list: JSONValue, _ keyword: String) -> [String]? {
        let names = (list.items ?? []).compactMap(\.text)
        guard let items = list.items, names.count == items.count, Set(names).count == names.count else {
            fail(keyword, "`\(keyword)` is no list of different names")
            return nil
        }
        return names
    }

    private mutating func dependentRequired(_ given: JSONValue) {
        guard let members = given.members else { return fail("dependentRequired", "`dependentRequired` is no object") }
        var plan = DependencyPlan()
        for member in members {
            guard let names = names(member.value, "dependentRequired") else { return }
            plan.required.append(names)
        }
        plan.names = KeyTable(members.enumerated().map { ($1.key, $0) })
        program.dependencies.append(plan)
        emit(.dependentRequired(program.dependencies.count - 1), "dependentRequired")
    }
}
