import Model

/// The markup of a schema: the constant parts, and methods for the parts that depend on the pack.
struct XMLSchemaText: ~Copyable {
    private var buffer = ByteBuffer()
    private var escape = XMLEscape()
    private let namespace: String

    /// Types with strict XSD bases. The attribute `raw` contains a value that did not fit the type;
    /// the element then is nil.
    private static let simpleTypes = [
        ("value.integer", "xs:integer"), ("value.number", "xs:double"), ("value.boolean", "xs:boolean"),
        ("value.date", "xs:date"),
        ("value.time", "xs:time"), ("value.instant", "xs:dateTime"),
    ]

    /// The types of every schema: the export, its cover, and the values.
    private static let commonTypes = """
        <xs:element name="export" type="export"/>
        <xs:complexType name="export" abstract="true">
        <xs:sequence>
        <xs:element name="about" type="about"/>
        </xs:sequence>
        <xs:attribute name="name" type="xs:string" use="required"/>
        <xs:attribute name="pack" type="xs:string" use="required"/>
        <xs:attribute name="packVersion" type="xs:string" use="required"/>
        <xs:attribute name="asOf" type="xs:dateTime" use="required"/>
        <xs:attribute name="timeZone" type="xs:string" use="required"/>
        <xs:attribute name="language" type="xs:language" use="required"/>
        </xs:complexType>
        <xs:complexType name="about">
        <xs:sequence>
        <xs:element name="title" type="xs:string"/>
        <xs:element name="subtitle" type="xs:string"/>
        <xs:element name="author" type="xs:string"/>
        <xs:element name="environmentBanner" type="xs:string" minOccurs="0"/>
        <xs:element name="draftBanner" type="xs:string" minOccurs="0"/>
        <xs:element name="line" minOccurs="0" maxOccurs="unbounded">
        <xs:complexType><xs:simpleContent><xs:extension base="xs:string">
        <xs:attribute name="name" type="xs:string" use="required"/>
        <xs:attribute name="label" type="xs:string" use="required"/>
        </xs:extension></xs:simpleContent></xs:complexType>
        </xs:element>
        <xs:element name="table" minOccurs="0" maxOccurs="unbounded">
        <xs:complexType><xs:sequence>
        <xs:element name="head" type="cells"/>
        <xs:element name="row" type="cells" minOccurs="0" maxOccurs="unbounded"/>
        </xs:sequence>
        <xs:attribute name="name" type="xs:string" use="required"/>
        <xs:attribute name="title" type="xs:string" use="required"/>
        </xs:complexType>
        </xs:element>
        </xs:sequence>
        </xs:complexType>
        <xs:complexType name="cells"><xs:sequence>
        <xs:element name="cell" type="xs:string" minOccurs="0" maxOccurs="unbounded"/>
        </xs:sequence></xs:complexType>
        <xs:complexType name="parameter"><xs:simpleContent><xs:extension base="xs:string">
        <xs:attribute name="key" type="xs:string" use="required"/>
        <xs:attribute name="unit" type="xs:string"/>
        </xs:extension></xs:simpleContent></xs:complexType>
        <xs:simpleType name="value.text"><xs:restriction base="xs:string"/></xs:simpleType>
        """

    init(namespace: String) {
        self.namespace = namespace
    }

    consuming func finish() -> String {
        line("</xs:schema>")
        return buffer.string
    }

    private mutating func line(_ markup: String) {
        buffer.append(utf8: markup)
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Appends `<name …` with escaped attributes, then `end`.
    private mutating func tag(_ name: String, _ attributes: [(String, String)], end: String = ">") {
        buffer.append(utf8: "<" + name)
        for (name, value) in attributes { escape.append(attribute: name, value, to: &buffer) }
        line(end)
    }

    private mutating func documentation(_ text: String, unit: String? = nil) {
        buffer.append(utf8: "<xs:annotation>")
        if let unit {
            buffer.append(utf8: "<xs:appinfo>")
            escape.append(content: unit, to: &buffer)
            buffer.append(utf8: "</xs:appinfo>")
        }
        buffer.append(utf8: "<xs:documentation>")
        escape.append(content: unit.map { "\(text) (\($0))" } ?? text, to: &buffer)
        line("</xs:documentation></xs:annotation>")
    }

    // MARK: The same in every pack

    mutating func head(documentation text: String, language: Language) {
        line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        tag(
            "xs:schema",
            [
                ("xmlns:xs", "http://www.w3.org/2001/XMLSchema"), ("xmlns", namespace), ("targetNamespace", namespace),
                ("elementFormDefault", "qualified"), ("version", "1"), ("xml:lang", language.rawValue),
            ])
        documentation(text)
        line(Self.commonTypes)
        for (name, base) in Self.simpleTypes {
            extended(name, base: base)
        }
    }

    /// Declares a type with the attribute `raw` for values that did not fit.
    private mutating func extended(_ name: String, base: String) {
        tag("xs:complexType", [("name", name)])
        tag("xs:simpleContent><xs:extension", [("base", base)])
        line("<xs:attribute name=\"raw\" type=\"xs:string\"/>\n</xs:extension></xs:simpleContent></xs:complexType>")
    }

    // MARK: Parts that depend on the pack

    mutating func vocabulary(_ name: String, _ values: [(value: String, label: String?)]) {
        extended(name, base: name + ".value")
        tag("xs:simpleType", [("name", name + ".value")])
        line("<xs:restriction base=\"xs:string\">")
        for (value, label) in values {
            tag("xs:enumeration", [("value", value)], end: label == nil ? "/>" : ">")
            if let label {
                documentation(label)
                line("</xs:enumeration>")
            }
        }
        line("</xs:restriction></xs:simpleType>")
    }

    mutating func beginExport(_ type: String, documentation text: String) {
        tag("xs:complexType", [("name", type)])
        documentation(text)
        line("<xs:complexContent><xs:extension base=\"export\"><xs:sequence>")
    }

    /// Adds the run's own sheets after the pack's: left-out records and findings. Their columns
    /// depend on the run, so the schema accepts rows of any form.
    mutating func endExport(runSheets: [String]) {
        for name in runSheets {
            tag("xs:element", [("name", name), ("minOccurs", "0")])
            line(
                """
                <xs:complexType><xs:sequence>
                <xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/>
                </xs:sequence>
                """ + "\n" + Self.sheetEnd)
        }
        line("</xs:sequence></xs:extension></xs:complexContent></xs:complexType>")
    }

    /// The end of every sheet's element.
    private static let sheetEnd = """
        <xs:attribute name="title" type="xs:string" use="required"/>
        <xs:attribute name="rows" type="xs:nonNegativeInteger" use="required"/>
        </xs:complexType>
        </xs:element>
        """

    mutating func beginSheet(_ name: String, row: String, repeats: Bool, documentation text: String) {
        tag("xs:element", [("name", name), ("minOccurs", "0")] + (repeats ? [("maxOccurs", "unbounded")] : []))
        documentation(text)
        line("<xs:complexType><xs:sequence>")
        tag("xs:element", [("name", row), ("minOccurs", "0"), ("maxOccurs", "unbounded")])
        line("<xs:complexType><xs:sequence>")
    }

    mutating func column(_ name: String, type: String, isNillable: Bool, label: String, unit: String?) {
        tag(
            "xs:element",
            [("name", name), ("type", type), ("minOccurs", "0")] + (isNillable ? [("nillable", "true")] : []))
        documentation(label, unit: unit)
        line("</xs:element>")
    }

    mutating func endSheet(hasParameters: Bool) {
        if hasParameters {
            line("<xs:element name=\"parameter\" type=\"parameter\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>")
        }
        line(
            """
            </xs:sequence></xs:complexType>
            </xs:element>
            </xs:sequence>
            """ + "\n" + Self.sheetEnd)
    }
}
