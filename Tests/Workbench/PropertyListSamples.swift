/// Property lists that Python makes for tests, and binary ones that are put together byte by byte.
package enum PropertyListSamples {
    /// Writes documents with random values as `json/N.json`, `xml/N.plist` and `binary/N.plist`: the
    /// same keys and values in each, some of them in the property lists as data with their JSON.
    package static func write(_ count: Int, seed: Int, to folder: TemporaryFolder) throws {
        let run = try OtherProgram.run("/usr/bin/python3", ["-c", script, String(count), String(seed)], in: folder.path)
        guard run.status == 0 else { throw Failed(text: run.text) }
    }

    private struct Failed: Error { let text: String }

    private static let script = """
        import datetime, json, os, plistlib, random, sys, uuid
        r = random.Random(int(sys.argv[2]))
        words = ['pozo', 'a "b"', 'línea\\nsegunda', '', ' ', '漢字 😀', '<&>', '\\\\', '7', '-3.5', '[1]', '{"a": 1}', 'x' * 300]
        names = ['a', 'b/c', 'd~', 'ñandú', 'e "f"', 'g\\\\h', 'habits', '😀', 'i.j']
        def data(value): return json.dumps(value, ensure_ascii=r.random() < 0.5, indent=r.choice([None, 1])).encode()
        # A value as JSON has it, and as a property list has it.
        def value(depth):
            k = r.random()
            if k < 0.1: v = r.choice([0, 1, -1, 255, 256, 65536, 2**31, 2**32, -2**31, 2**63 - 1, -2**63, 2**64 - 1, r.randint(-10**9, 10**9)]); return v, v
            if k < 0.2: v = r.randint(-10**6, 10**6) + r.choice([0.5, 0.25, 0.125]); return v, v
            if k < 0.27: v = r.random() < 0.5; return v, v
            if k < 0.33:
                d = datetime.datetime(2025, r.randint(1, 12), r.randint(1, 28), r.randint(0, 23), r.randint(0, 59), r.randint(0, 59))
                return d.isoformat() + 'Z', d
            if k < 0.36: u = uuid.UUID(int=r.getrandbits(128) | 0xFF << 120); return str(u), u.bytes
            if k < 0.6 or depth > 3: v = r.choice(words); return v, v
            if k < 0.8: pairs = [value(depth + 1) for _ in range(r.choice([0, 1, 2, 3, 20]))]; both = [p[0] for p in pairs], [p[1] for p in pairs]
            else: both = members(depth + 1)
            return (both[0], data(both[0])) if r.random() < 0.3 else both
        def members(depth):
            pairs = [(n, value(depth)) for n in r.sample(names, r.randint(0, len(names)))]
            return {n: p[0] for n, p in pairs}, {n: p[1] for n, p in pairs}
        for name in ['json', 'xml', 'binary']: os.makedirs(name, exist_ok=True)
        for n in range(int(sys.argv[1])):
            plain, listed = members(0)
            json.dump(plain, open('json/%d.json' % n, 'w', encoding='utf-8'), ensure_ascii=False, indent=1)
            plistlib.dump(listed, open('xml/%d.plist' % n, 'wb'), sort_keys=False)
            plistlib.dump(listed, open('binary/%d.plist' % n, 'wb'), fmt=plistlib.FMT_BINARY, sort_keys=False)
        """

    /// A binary property list of these objects, with references of two bytes and offsets of four.
    ///
    /// - Parameter offsets: what the table says instead of where the objects are.
    package static func binary(_ objects: [[UInt8]], top: Int = 0, offsets: [UInt32]? = nil, count: UInt64? = nil) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var places: [UInt32] = []
        for object in objects {
            places.append(UInt32(bytes.count))
            bytes += object
        }
        let table = bytes.count
        for place in offsets ?? places { bytes += big(UInt64(place), 4) }
        return bytes + [0, 0, 0, 0, 0, 0, 4, 2] + big(count ?? UInt64(objects.count), 8) + big(UInt64(top), 8) + big(UInt64(table), 8)
    }

    /// A list of references.
    package static func list(_ references: [Int]) -> [UInt8] {
        let head: [UInt8] = references.count < 15 ? [0xA0 + UInt8(references.count)] : [0xAF, 0x12] + big(UInt64(references.count), 4)
        return head + references.flatMap { big(UInt64($0), 2) }
    }

    private static func big(_ value: UInt64, _ width: Int) -> [UInt8] { (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    /// Binary lists that no reader may take, with a word of the reason.
    package static let broken: [(name: String, bytes: [UInt8], reason: String)] = [
        ("a list within itself", binary([list([0])]), "itself"),
        ("two lists within each other", binary([list([1, 1]), list([0, 0])]), "itself"),
        ("a dictionary within itself", binary([[0xD1, 0, 1, 0, 0], [0x51, 0x61]]), "itself"),
        ("ever deeper lists", binary((1...400).map { list([$0]) } + [list([])]), "jsonDepth"),
        ("lists that refer to one another ten times", binary((1...60).map { list(Array(repeating: $0, count: 10)) } + [list([])]), "propertyListBytes"),
        ("a long text that is referred to often", binary([list(Array(repeating: 1, count: 60_000)), [0x5F, 0x11, 0x07, 0xD0] + Array(repeating: 0x61, count: 2_000)]), "propertyListBytes"),
        ("an offset beyond the file", binary([list([1]), [0x08]], offsets: [8, 0x7FFF_FFFF]), "object 1"),
        ("an offset within the head", binary([[0x08]], offsets: [2]), "object 0"),
        ("an offset within the table", binary([[0x08]], offsets: [9]), "object 0"),
        ("a reference to no object", binary([list([7])]), "object 7"),
        ("no such outer object", binary([[0x08]], top: 3), "object 3"),
        ("more objects than bytes", binary([[0x08]], count: 1 << 62), "trailer"),
        ("a negative number of objects", binary([[0x08]], count: 1 << 63), "trailer"),
        ("a list that is too long", binary([[0xAF, 0x13, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]), "beyond"),
        ("data of a negative size", binary([[0x4F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]), "beyond"),
        ("a text that is too long", binary([[0x5E, 0x61]]), "beyond"),
        ("a size that is no integer", binary([[0x5F, 0x51, 0x61]]), "size"),
        ("a number that is cut off", binary([[0x13, 0]]), "beyond"),
        ("a key that is no text", binary([[0xD1, 0, 1, 0, 1], [0x08]]), "key"),
        ("half a character", binary([[0x61, 0xD8, 0x00]]), "UTF-16"),
        ("a text that is not ASCII", binary([[0x51, 0xE9]]), "ASCII"),
        ("an unknown kind", binary([[0xC0]]), "kind"),
        ("no objects at all", binary([]), "trailer"),
        ("only a head", Array("bplist00".utf8), "trailer"),
        ("another version", Array("bplist15".utf8) + [UInt8](repeating: 0, count: 64), "version"),
    ]
}
