internal import JSONReading

/// The documents of a schema, with the places of the schemas, `$id`s and anchors in them.
///
/// Nothing is ever fetched: only the schema itself, the documents passed by the caller, and the
/// meta-schema of draft 2020-12 are available.
struct SchemaLibrary {
    /// The place of a schema.
    struct Place: Hashable {
        var document: Int
        var pointer: String
    }

    /// The schema at a place, and the resource that contains it.
    struct Site {
        var value: JSONValue
        var resource: Int
    }

    /// A part of a document that begins with an `$id`; references within it are relative to its
    /// address.
    struct Resource {
        var address: String
        var root: Place
        var vocabularies: Vocabularies
        var anchors: [String: Place] = [:]
        var dynamicAnchors: [String: Place] = [:]
    }

    private(set) var sites: [Place: Site] = [:]
    /// The places in the schema itself, in their order, without those of other documents.
    private(set) var ownPlaces: [Place] = []
    private(set) var resources: [Resource] = []
    private(set) var mistakes: [SchemaMistake] = []
    private var addresses: [String: Int] = [:]
    private var documentCount = 0
    private let given: [String: JSONValue]

    private static let maximumSites = 20_000
    /// Keywords whose values are schemas by name, lists of schemas, and single schemas.
    private static let maps: Set<String> = [
        "$defs", "definitions", "properties", "patternProperties", "dependentSchemas",
    ]
    private static let lists: Set<String> = ["prefixItems", "allOf", "anyOf", "oneOf"]
    private static let singles: Set<String> = [
        "items", "contains", "additionalProperties", "propertyNames", "if", "then", "else", "not", "unevaluatedItems",
        "unevaluatedProperties", "contentSchema",
    ]

    init(_ schema: JSONValue, given: [String: JSONValue]) {
        self.given = given
        add(schema, at: "")
    }

    // MARK: targets of references

    /// The resource at an address; its document is loaded at the first request.
    mutating func resource(at address: String) -> Int? {
        if let known = addresses[address] { return known }
        guard let document = given[address] ?? MetaSchema.document(at: address) else { return nil }
        add(document, at: address)
        return addresses[address]
    }

    /// The place of a JSON pointer in a resource. A referenced value outside the keywords for
    /// schemas is treated as a schema.
    mutating func place(_ pointer: String, in resource: Int) -> Place? {
        let root = resources[resource].root
        let place = Place(document: root.document, pointer: root.pointer + pointer)
        if sites[place] != nil { return place }
        guard var value = sites[root]?.value, pointer.hasPrefix("/") else { return nil }
        var (nearest, at) = (resource, root.pointer)
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let name = part.replacing("~1", with: "/").replacing("~0", with: "~")
            guard let next = value[String(name)] ?? Int(name).flatMap({ value[$0] }) else { return nil }
            value = next
            at += "/" + part
            if let site = sites[Place(document: root.document, pointer: at)] { nearest = site.resource }
        }
        walk(value, place, in: nearest)
        return place
    }

    // MARK: loading a document

    private mutating func add(_ document: JSONValue, at address: String) {
        let root = Place(document: documentCount, pointer: "")
        documentCount += 1
        addresses[address] = resources.count
        resources.append(Resource(address: address, root: root, vocabularies: .standard))
        walk(document, root, in: resources.count - 1)
    }

    private mutating func walk(_ value: JSONValue, _ place: Place, in resource: Int) {
        var waiting = [(value: value, place: place, resource: resource)]
        var next = 0
        while next < waiting.count {
            var (value, place, resource) = waiting[next]
            next += 1
            guard sites[place] == nil else { continue }
            guard sites.count < Self.maximumSites else {
                fail(place, nil, "the schema consists of more than \(Self.maximumSites) schemas")
                return
            }
            guard let members = value.members else {
                if case .bool = value {} else { fail(place, nil, "a schema is an object, true or false") }
                note(Site(value: value, resource: resource), place)
                continue
            }
            begin(value, place, &resource)
            note(Site(value: value, resource: resource), place)
            for member in members {
                let inner = place.pointer + "/" + Self.escaped(member.key)
                if Self.singles.contains(member.key) {
                    waiting.append((member.value, Place(document: place.document, pointer: inner), resource))
                } else if Self.maps.contains(member.key) {
                    for entry in member.value.members ?? [] {
                        let pointer = inner + "/" + Self.escaped(entry.key)
                        waiting.append((entry.value, Place(document: place.document, pointer: pointer), resource))
                    }
                } else if Self.lists.contains(member.key) {
                    for (index, item) in (member.value.items ?? []).enumerated() {
                        waiting.append((item, Place(document: place.document, pointer: "\(inner)/\(index)"), resource))
                    }
                }
            }
        }
    }

    private mutating func note(_ site: Site, _ place: Place) {
        sites[place] = site
        if place.document == 0 { ownPlaces.append(place) }
    }

    /// Reads the keywords that make a schema a target of references.
    private mutating func begin(_ value: JSONValue, _ place: Place, _ resource: inout Int) {
        if let id = value["$id"] {
            if let text = id.text, !text.isEmpty {
                let address = SchemaURI(text).resolved(from: SchemaURI(resources[resource].address))
                if let fragment = address.fragment, !fragment.isEmpty { fail(place, "$id", "an `$id` has no fragment") }
                enter(address.address, place, &resource)
            } else {
                fail(place, "$id", "`$id` is no address")
            }
        }
        if place == resources[resource].root {
            resources[resource].vocabularies = vocabularies(value, place, resources[resource].vocabularies)
        }
        for (keyword, isDynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
            guard let anchor = value[keyword] else { continue }
            guard let name = anchor.text, Self.isAnchor(name) else {
                fail(place, keyword, "`\(keyword)` is no name: letters, digits, - _ and . are allowed")
                continue
            }
            if let other = resources[resource].anchors.updateValue(place, forKey: name), other != place {
                fail(place, keyword, "two schemas are called `\(name)`")
            }
            if isDynamic { resources[resource].dynamicAnchors[name] = place }
        }
    }

    private mutating func enter(_ address: String, _ place: Place, _ resource: inout Int) {
        let outer = resources[resource]
        if let known = addresses[address] {
            if resources[known].root == place {
                resource = known
            } else {
                fail(place, "$id", "two schemas have the address `\(address)`")
            }
            return
        }
        addresses[address] = resources.count
        if outer.root == place {
            // A document whose `$id` differs from the address where it was found is known by both.
            resources[resource].address = address
            addresses[address] = resource
        } else {
            resource = resources.count
            resources.append(Resource(address: address, root: place, vocabularies: outer.vocabularies))
        }
    }

    private mutating func vocabularies(_ value: JSONValue, _ place: Place, _ outer: Vocabularies) -> Vocabularies {
        guard let dialect = value["$schema"] else { return outer }
        guard let text = dialect.text else {
            fail(place, "$schema", "`$schema` is no address")
            return outer
        }
        let address = SchemaURI(text).address
        guard address != MetaSchema.address else { return .standard }
        guard let document = given[address] ?? (addresses[address].flatMap { sites[resources[$0].root]?.value }) else {
            fail(place, "$schema", "the dialect `\(text)` is not known: only draft 2020-12 is")
            return outer
        }
        guard let found = Vocabularies(document["$vocabulary"]) else {
            fail(place, "$schema", "the dialect `\(text)` needs a vocabulary that is not known")
            return outer
        }
        return found
    }

    private mutating func fail(_ place: Place, _ keyword: String?, _ reason: String) {
        guard place.document == 0 else { return }
        mistakes.append(SchemaMistake(pointer: place.pointer + (keyword.map { "/" + $0 } ?? ""), reason: reason))
    }

    private static func isAnchor(_ name: String) -> Bool {
        guard let first = name.utf8.first, first == UInt8(ascii: "_") || (first | 0x20) &- UInt8(ascii: "a") < 26 else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") <= 9 || "-_.".utf8.contains(byte)
        }
    }

    /// A key as a part of a JSON pointer.
    static func escaped(_ key: String) -> String {
        key.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
            ? key.replacing("~", with: "~0").replacing("/", with: "~1") : key
    }
}
