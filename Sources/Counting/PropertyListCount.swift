internal import Model

/// Counts the tables of a property list, XML or binary, as those of a JSON document with the same
/// values.
enum PropertyListCount: FileCount {
    static let kind = "plist"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let most = CountBounds.current.propertyListBytes
        guard file.count <= most else { throw .tooLarge("propertyListBytes \(most)") }
        var values = ListedValues(PathTables(keyed: options.keyed), most: most)
        let bytes = try file.read(at: 0, file.count)
        if bytes.starts(with: "bplist".utf8) {
            var objects = try ObjectWalk(bytes, values)
            try objects.all()
            values = objects.values
        } else {
            let elements = ElementValues(values)
            try MarkupStream.read(bytes, elements)
            values = elements.values
        }
        guard values.tables.hasValue else { throw .damaged("the list is empty") }
        return SourceCount(tables: try values.tables.counts(whole: file.stem), columnsByName: true)
    }
}

extension CountBounds {
    fileprivate var propertyListBytes: Int { self["propertyListBytes", usually: 64 << 20] }
}
