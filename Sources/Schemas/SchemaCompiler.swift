internal import JSONReading
internal import Patterns

/// Compiles a schema into a program, one schema object after the other. Referenced schemas are
/// added to a queue, so that neither depth nor cyclic references lead to recursion.
struct SchemaCompiler {
    var program = SchemaProgram()
    var mistakes: [SchemaMistake] = []
    let options: SchemaProgram.Options

    private var library: SchemaLibrary
    private var nodes: [SchemaLibrary.Place: Int] = [:]
    private var queue: [SchemaLibrary.Place] = []
    /// The current schema object.
    private(set) var place = SchemaLibrary.Place(document: 0, pointer: "")
    private(set) var value = JSONValue.null
    private(set) var resource = 0
    /// The names that dynamic references look up, parallel to the program's plans for them.
    private var dynamicNames: [String] = []
    private var constants: [JSONValue] = []
    private var constantCount = 0

    private static let maximumNodes = 20_000

    init(_ schema: JSONValue, _ options: SchemaProgram.Options) {
        self.options = options
        library = SchemaLibrary(schema, given: options.documents)
    }

    mutating func compile() -> SchemaProgram.Outcome {
        _ = node(at: place)
        for place in library.ownPlaces { _ = node(at: place) }
        var next = 0
        while next < queue.count, queue.count <= Self.maximumNodes {
            place = queue[next]
            compileNode(next)
            next += 1
            // The schemas with a dynamic name are known only after all documents are loaded; these
            // may add to the queue.
            if next == queue.count { fillDynamics() }
        }
        if next < queue.count {
            fail(nil, "the schema and what it refers to consist of more than \(Self.maximumNodes) schemas")
        }
        do {
            program.constants = try JSONDocument(.array(constants))
        } catch {
            fail(nil, "its constants cannot be kept: \(error.reason)")
        }
        mistakes = library.mistakes + mistakes
        if mistakes.isEmpty { mistakes += SchemaLoops(program).mistakes() }
        var seen: Set<SchemaMistake> = []
        mistakes = mistakes.filter { seen.insert($0).inserted }
        return SchemaProgram.Outcome(program: mistakes.isEmpty ? program : nil, mistakes: mistakes)
    }

    /// The node of the schema at a place; a schema not yet compiled is queued.
    private mutating func node(at place: SchemaLibrary.Place) -> Int {
        if let known = nodes[place] { return known }
        let index = queue.count
        nodes[place] = index
        queue.append(place)
        program.nodes.append(SchemaNode())
        return index
    }

    private mutating func compileNode(_ index: Int) {
        guard let site = library.sites[place] else { return }
        (value, resource) = (site.value, site.resource)
        var node = SchemaNode()
        node.resource = resource
        node.location = location(nil)
        let start = program.steps.count
        switch site.value {
        case .bool(let isAlways): node.kind = isAlways ? .always : .never
        case .object:
            let vocabularies = library.resources[resource].vocabularies
            if options.readsExtras { node.extras = extras() }
            if vocabularies.contains(.validation) { validation() }
            if options.assertsFormats || vocabularies.contains(.formatAssertion) { format() }
            references()
            if vocabularies.contains(.applicator) { applicators(requires: vocabularies.contains(.validation)) }
            if vocabularies.contains(.unevaluated) { node.tracks = unevaluated() }
            node.steps = start..<program.steps.count
            node.kind = node.steps.isEmpty ? .always : .steps
        // The library has already reported this.
        default: break
        }
        program.nodes[index] = node
    }

    // MARK: common parts of the compiler

    /// Adds a step, with the location of its keyword.
    mutating func emit(_ step: SchemaStep, _ keyword: String) {
        program.steps.append(step)
        program.places.append(location(keyword))
    }

    /// Stores the location of a keyword of the current schema; returns its index.
    mutating func location(_ keyword: String?) -> Int {
        let address = place.document == 0 ? "" : library.resources[resource].address + "#"
        program.locations.append(address + place.pointer + (keyword.map { "/" + SchemaLibrary.escaped($0) } ?? ""))
        return program.locations.count - 1
    }

    mutating func fail(_ keyword: String?, _ reason: String) {
        let address = place.document == 0 ? "" : library.resources[resource].address + "#"
        guard mistakes.count < 100 else { return }
        mistakes.append(SchemaMistake(
            pointer: address + place.pointer + (keyword.map { "/" + $0 } ?? ""), reason: reason))
    }

    /// The node of the schema under a keyword, or further below it; nil if there is none.
    mutating func child(_ keyword: String, _ part: String? = nil) -> Int? {
        let pointer = "/" + keyword + (part.map { "/" + SchemaLibrary.escaped($0) } ?? "")
        let inner = SchemaLibrary.Place(document: place.document, pointer: place.pointer + pointer)
        return library.sites[inner] == nil ? nil : node(at: inner)
    }

    /// Stores a value for comparison; returns its index among the constants.
    mutating func constant(_ value: JSONValue) -> Int {
        constants.append(value)
        defer { constantCount += Self.tokens(in: value) }
        // The first token is the array that contains them all.
        return constantCount + 1
    }

    private static func tokens(in value: JSONValue) -> Int {
        switch value {
        case .array(let items): items.reduce(1) { $0 + tokens(in: $1) }
        case .object(let members): members.reduce(1) { $0 + 1 + tokens(in: $1.value) }
        default: 1
        }
    }

    // MARK: references

    private mutating func references() {
        if let text = reference("$ref"), let found = target(of: text, "$ref") {
            emit(.reference(node(at: found.place)), "$ref")
        }
        guard let text = reference("$dynamicRef"), let found = target(of: text, "$dynamicRef") else { return }
        let name = SchemaURI(text).plainFragment ?? ""
        guard library.resources[found.resource].dynamicAnchors[name] == found.place else {
            emit(.reference(node(at: found.place)), "$dynamicRef")
            return
        }
        program.dynamics.append(DynamicPlan(node: node(at: found.place)))
        dynamicNames.append(name)
        emit(.dynamicReference(program.dynamics.count - 1), "$dynamicRef")
    }

    private mutating func fillDynamics() {
        for (index, name) in dynamicNames.enumerated() {
            for (number, resource) in library.resources.enumerated() {
                if let place = resource.dynamicAnchors[name] { program.dynamics[index].nodes[number] = node(at: place) }
            }
        }
    }

    private mutating func reference(_ keyword: String) -> String? {
        guard let reference = value[keyword] else { return nil }
        if reference.text == nil { fail(keyword, "`\(keyword)` is no address") }
        return reference.text
    }

    private mutating func target(of text: String, _ keyword: String) -> (place: SchemaLibrary.Place, resource: Int)? {
        let address = SchemaURI(text).resolved(from: SchemaURI(library.resources[resource].address))
        guard let resource = library.resource(at: address.address) else {
            fail(keyword, "`\(text)` leads to another document, which is not at hand")
            return nil
        }
        guard let fragment = address.plainFragment else {
            fail(keyword, "`\(text)` has a fragment that is no UTF-8")
            return nil
        }
        let place: SchemaLibrary.Place?
        if fragment.isEmpty {
            place = library.resources[resource].root
        } else if fragment.hasPrefix("/") {
            place = library.place(fragment, in: resource)
        } else {
            place = library.resources[resource].anchors[fragment]
        }
        guard let place else {
            fail(keyword, "`\(text)` points to nothing")
            return nil
        }
        return (place, library.sites[place]?.resource ?? resource)
    }
}
