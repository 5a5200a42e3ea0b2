/// Walks through the objects of a binary property list from the outermost one, without recursion.
struct ObjectWalk {
    /// A list or a dictionary that has not been read to its end.
    private struct Frame {
        let object: Int
        /// Position of its first reference.
        let start: Int
        let count: Int
        let isDictionary: Bool
        var position = 0
        /// Whether the key of the next member has been read.
        var isNamed = false
    }

    private(set) var values: ListedValues
    private let bytes: [UInt8]
    /// Start of the table of offsets.
    private let places: Int
    private let count: Int
    private let placeWidth: Int
    private let referenceWidth: Int
    private let outermost: Int
    private let mostDepth = CountBounds.current.jsonDepth
    private var frames: [Frame] = []

    init(_ bytes: [UInt8], _ values: ListedValues) throws(CountFault) {
        (self.bytes, self.values) = (bytes, values)
        let end = bytes.count - 32
        guard end > 8, let count = bytes.high(end + 8, 8), let outermost = bytes.high(end + 16, 8),
            let places = bytes.high(end + 24, 8)
        else {
            throw .damaged("the list is cut off")
        }
        (placeWidth, referenceWidth) = (Int(bytes[end + 6]), Int(bytes[end + 7]))
        (self.count, self.outermost, self.places) = (count, outermost, places)
        guard (1...8).contains(placeWidth), (1...8).contains(referenceWidth), places > 8, places <= end, count >= 0,
            count <= (end - places) / placeWidth
        else {
            throw .damaged("the trailer of the list is wrong")
        }
    }

    mutating func all() throws(CountFault) {
        try value(outermost)
        while let frame = frames.last {
            let top = frames.count - 1
            if frame.position == frame.count {
                frames.removeLast()
                try values.take(.close)
            } else if frame.isDictionary, !frame.isNamed {
                frames[top].isNamed = true
                let object = try place(of: reference(frame, frame.position))
                guard 0x50...0x6F ~= bytes[object] else { throw .damaged("a key is no text") }
                try values.key(try text(object))
            } else {
                frames[top].position += 1
                frames[top].isNamed = false
                try value(reference(frame, frame.position + (frame.isDictionary ? frame.count : 0)))
            }
        }
    }

    private mutating func value(_ object: Int) throws(CountFault) {
        let place = try place(of: object)
        switch bytes[place] {
        case 0x00: try values.take(.null)
        case 0x08, 0x09: try values.take(.boolean)
        case 0x10...0x14: try whole(place)
        case 0x22: try values.number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try field(place + 1, 4)))))
        case 0x23: try values.number(Double(bitPattern: UInt64(bitPattern: Int64(try field(place + 1, 8)))))
        // The reader returns a date as a text.
        case 0x33: try values.take(.text(isEmpty: false))
        case 0x40...0x4F:
            let (start, count) = try extent(place, 1)
            try values.data(bytes[start..<(start + count)])
        case 0x50...0x6F:
            let text = try text(place)
            try values.take(.text(isEmpty: text.isEmpty), size: text.count)
        case 0xA0...0xAF, 0xD0...0xDF:
            let isDictionary = bytes[place] >= 0xD0
            let (start, count) = try extent(place, referenceWidth * (isDictionary ? 2 : 1))
            guard !frames.contains(where: { $0.object == object }) else { throw .damaged("an object is within itself") }
            guard frames.count < mostDepth else { throw .tooLarge("jsonDepth \(mostDepth)") }
            frames.append(Frame(object: object, start: start, count: count, isDictionary: isDictionary))
            try values.take(.open(isObject: isDictionary))
        default: throw .damaged("an object is of an unknown kind")
        }
    }

    /// Passes on a whole number, which has a sign only from eight bytes on.
    private mutating func whole(_ place: Int) throws(CountFault) {
        switch bytes[place] {
        case 0x13: try values.take(.number(Array("\(try field(place + 1, 8))".utf8)))
        case 0x14:
            let high = Double(try field(place + 1, 8)), low = Double(UInt64(bitPattern: Int64(try field(place + 9, 8))))
            try values.number(high * 0x1p64 + low)
        default: try values.take(.number(Array("\(try field(place + 1, 1 << Int(bytes[place] & 3)))".utf8)))
        }
    }

    private func text(_ place: Int) throws(CountFault) -> [UInt8] {
        let isWide = bytes[place] >= 0x60
        let (start, count) = try extent(place, isWide ? 2 : 1)
        guard isWide else { return Array(bytes[start..<(start + count)]) }
        let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private func reference(_ frame: Frame, _ index: Int) throws(CountFault) -> Int {
        try field(frame.start + index * referenceWidth, referenceWidth)
    }

    private func place(of object: Int) throws(CountFault) -> Int {
        guard 0..<count ~= object, let place = bytes.high(places + object * placeWidth, placeWidth), 8..<places ~= place
        else {
            throw .damaged("an object is outside of the file")
        }
        return place
    }

    private func extent(_ place: Int, _ width: Int) throws(CountFault) -> (start: Int, count: Int) {
        var start = place + 1
        var count = Int(bytes[place] & 0x0F)
        if count == 15 {
            let mark = try field(start, 1)
            guard 0x10...0x13 ~= mark else { throw .damaged("a size is missing") }
            count = try field(start + 1, 1 << (mark & 3))
            start += 1 + (1 << (mark & 3))
        }
        guard count >= 0, count <= (places - start) / width else { throw .damaged("an object is longer than the file") }
        return (start, count)
    }

    private func field(_ place: Int, _ width: Int) throws(CountFault) -> Int {
        guard place <= places - width, let field = bytes.high(place, width) else {
            throw .damaged("an object is cut off")
        }
        return field
    }
}
