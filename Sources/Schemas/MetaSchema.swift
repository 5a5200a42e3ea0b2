internal import JSONReading

/// The schema of JSON Schema itself, draft 2020-12: one document that combines the schemas of the
/// vocabularies.
enum MetaSchema {
    static let address = base + "schema"
    static let vocabularyBase = base + "vocab/"
    private static let base = "https://json-schema.org/draft/2020-12/"

    /// The document at an address; nil for other addresses.
    static func document(at address: String) -> JSONValue? {
        guard address.hasPrefix(base), let text = texts[String(address.dropFirst(base.count))] else { return nil }
        return try? JSONValue.parse(text)
    }

    private static let head = #""$schema":"https://json-schema.org/draft/2020-12/schema","$dynamicAnchor":"meta""#
    private static let schema = ##"{"$dynamicRef":"#meta"}"##
    private static let schemas = ##"{"type":"object","additionalProperties":{"$dynamicRef":"#meta"},"default":{}}"##
    private static let texts = [
        "schema": """
        {"$id":"\(base)schema",\(head),"$vocabulary":{\(vocabularies)},
        "allOf":[{"$ref":"meta/core"},{"$ref":"meta/applicator"},{"$ref":"meta/unevaluated"},{"$ref":"meta/validation"},
        {"$ref":"meta/meta-data"},{"$ref":"meta/format-annotation"},{"$ref":"meta/content"}],"type":["object",\
        "boolean"],
        "properties":{"definitions":\(schemas),"dependencies":{"type":"object",\
        "additionalProperties":{"anyOf":[\(schema),
        {"$ref":"meta/validation#/$defs/stringArray"}]},"deprecated":true,"default":{}},
        "$recursiveAnchor":{"$ref":"meta/core#/$defs/anchorString","deprecated":true},
        "$recursiveRef":{"$ref":"meta/core#/$defs/uriReferenceString","deprecated":true}}}
        """,
        "meta/core": #"""
        {"$id":"\#(base)meta/core",\#(head),"type":["object","boolean"],"properties":{
        "$id":{"$ref":"#/$defs/uriReferenceString","pattern":"^[^#]*#?$"},"$schema":{"$ref":"#/$defs/uriString"},
        "$ref":{"$ref":"#/$defs/uriReferenceString"},"$anchor":{"$ref":"#/$defs/anchorString"},
        "$dynamicRef":{"$ref":"#/$defs/uriReferenceString"},"$dynamicAnchor":{"$ref":"#/$defs/anchorString"},
        "$vocabulary":{"type":"object","propertyNames":{"$ref":"#/$defs/uriString"},\#
        "additionalProperties":{"type":"boolean"}},
        "$comment":{"type":"string"},"$defs":{"type":"object","additionalProperties":{"$dynamicRef":"#meta"}}},
        "$defs":{"anchorString":{"type":"string","pattern":"^[A-Za-z_][-A-Za-z0-9._]*$"},
        "uriString":{"type":"string","format":"uri"},"uriReferenceString":{"type":"string","format":"uri-reference"}}}
        """#,
        "meta/applicator": #"""
        {"$id":"\#(base)meta/applicator",\#(head),"type":["object","boolean"],"properties":{
        "prefixItems":{"$ref":"#/$defs/schemaArray"},"items":\#(schema),"contains":\#(schema),\#
        "additionalProperties":\#(schema),
        "properties":\#(schemas),"patternProperties":{"type":"object","additionalProperties":\#(schema),
        "propertyNames":{"format":"regex"},"default":{}},"dependentSchemas":\#(schemas),"propertyNames":\#(schema),
        "if":\#(schema),"then":\#(schema),"else":\#(schema),"allOf":{"$ref":"#/$defs/schemaArray"},
        "anyOf":{"$ref":"#/$defs/schemaArray"},"oneOf":{"$ref":"#/$defs/schemaArray"},"not":\#(schema)},
        "$defs":{"schemaArray":{"type":"array","minItems":1,"items":\#(schema)}}}
        """#,
        "meta/unevaluated": """
        {"$id":"\(base)meta/unevaluated",\(head),"type":["object","boolean"],
        "properties":{"unevaluatedItems":\(schema),"unevaluatedProperties":\(schema)}}
        """,
        "meta/validation": #"""
        {"$id":"\#(base)meta/validation",\#(head),"type":["object","boolean"],"properties":{
        "type":{"anyOf":[{"$ref":"#/$defs/simpleTypes"},
        {"type":"array","items":{"$ref":"#/$defs/simpleTypes"},"minItems":1,"uniqueItems":true}]},
        "const":true,"enum":{"type":"array","items":true},"multipleOf":{"type":"number","exclusiveMinimum":0},
        "maximum":{"type":"number"},"exclusiveMaximum":{"type":"number"},"minimum":{"type":"number"},
        "exclusiveMinimum":{"type":"number"},"maxLength":{"$ref":"#/$defs/nonNegativeInteger"},
        "minLength":{"$ref":"#/$defs/nonNegativeIntegerDefault0"},"pattern":{"type":"string","format":"regex"},
        "maxItems":{"$ref":"#/$defs/nonNegativeInteger"},"minItems":{"$ref":"#/$defs/nonNegativeIntegerDefault0"},
        "uniqueItems":{"type":"boolean","default":false},"maxContains":{"$ref":"#/$defs/nonNegativeInteger"},
        "minContains":{"$ref":"#/$defs/nonNegativeInteger","default":1},"maxProperties":{"$ref":"#/$defs/\#
        nonNegativeInteger"},
        "minProperties":{"$ref":"#/$defs/nonNegativeIntegerDefault0"},"required":{"$ref":"#/$defs/stringArray"},
        "dependentRequired":{"type":"object","additionalProperties":{"$ref":"#/$defs/stringArray"}}},
        "$defs":{"nonNegativeInteger":{"type":"integer","minimum":0},
        "nonNegativeIntegerDefault0":{"$ref":"#/$defs/nonNegativeInteger","default":0},
        "simpleTypes":{"enum":["array","boolean","integer","null","number","object","string"]},
        "stringArray":{"type":"array","items":{"type":"string"},"uniqueItems":true,"default":[]}}}
        """#,
        "meta/meta-data": """
        {"$id":"\(base)meta/meta-data",\(head),"type":["object","boolean"],"properties":{"title":{"type":"string"},
        "description":{"type":"string"},"default":true,"deprecated":{"type":"boolean","default":false},
        "readOnly":{"type":"boolean","default":false},"writeOnly":{"type":"boolean","default":false},
        "examples":{"type":"array","items":true}}}
        """,
        "meta/format-annotation": """
        {"$id":"\(base)meta/format-annotation",\(head),"type":["object","boolean"],\
        "properties":{"format":{"type":"string"}}}
        """,
        "meta/format-assertion": """
        {"$id":"\(base)meta/format-assertion",\(head),"type":["object","boolean"],\
        "properties":{"format":{"type":"string"}}}
        """,
        "meta/content": """
        {"$id":"\(base)meta/content",\(head),"type":["object","boolean"],\
        "properties":{"contentEncoding":{"type":"string"},
        "contentMediaType":{"type":"string"},"contentSchema":\(schema)}}
        """,
    ]

    private static let vocabularies = [
        "core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content",
    ]
        .map { "\"\(vocabularyBase)\($0)\":true" }.joined(separator: ",")
}

/// The vocabularies of draft 2020-12 whose keywords apply in a schema: all of them, unless its
/// meta-schema restricts them.
struct Vocabularies: OptionSet, Sendable {
    let rawValue: UInt8

    static let applicator = Vocabularies(rawValue: 1)
    static let unevaluated = Vocabularies(rawValue: 2)
    static let validation = Vocabularies(rawValue: 4)
    static let formatAssertion = Vocabularies(rawValue: 8)
    static let standard: Vocabularies = [.applicator, .unevaluated, .validation]

    /// Reads `$vocabulary` of a meta-schema; nil if it requires an unknown vocabulary.
    init?(_ value: JSONValue?) {
        guard let members = value?.members else {
            self = .standard
            return
        }
        var found: Vocabularies = []
        for member in members {
            let name =
                member.key.hasPrefix(MetaSchema.vocabularyBase)
                ? String(member.key.dropFirst(MetaSchema.vocabularyBase.count)) : ""
            switch name {
            case "core", "meta-data", "format-annotation", "content": break
            case "applicator": found.insert(.applicator)
            case "unevaluated": found.insert(.unevaluated)
            case "validation": found.insert(.validation)
            case "format-assertion": found.insert(.formatAssertion)
            default: if member.value == .bool(true) { return nil }
            }
        }
        self = found
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
