internal import Model

/// Counts the cells of a worksheet from its tags.
struct SheetCells: TagHandler {
    private enum Kind { case number, shared, text, inline, boolean, error, date }

    private(set) var counts = ColumnCounts(numbers: true)
    private let blankTexts: BlankTexts
    private(set) var isDone = false
    private(set) var wantsText = false
    private var isInRows = false
    private var isInCell = false
    private var isInText = false
    /// Number of open phonetic readings (`rPh`), whose texts are ignored.
    private var readings = 0
    private var keepsSpaces = false
    /// Whether the sheet and the current run of text keep white space (`xml:space`; XML 1.0, 2.10).
    private var keepsSheet = false
    private var keepsRun = false
    private var column = -1
    private var kind = Kind.number
    /// Whether the cell's value (`v`), and its inline texts, have content; nil if the cell has
    /// none. Some programs write both, but only one of them counts.
    private var isValueFilled: Bool?
    private var areTextsFilled: Bool?
    private var number: Double?
    /// A value that is not a plain number, or that arrives in pieces.
    private var value: [UInt8] = []

    init(_ blankTexts: BlankTexts) { self.blankTexts = blankTexts }

    @inline(__always) mutating func open(_ bytes: Span<UInt8>, name: Range<Int>, attributes: Range<Int>)
        throws(CountFault)
    {
        guard isInRows else {
            if Self.isNamed("sheetData", bytes, name) { isInRows = true }
            if Self.isNamed("worksheet", bytes, name) {
                keepsSheet = Self.keepsSpaces(attributes, of: bytes, within: false)
            }
            return
        }
        switch (name.count, bytes[name.lowerBound]) {
        case (1, 0x63): openCell(bytes, attributes)
        case (1, 0x76) where isInCell:
            wantsText = true
            isInText = false
            isValueFilled = isValueFilled ?? false
        case (1, 0x74) where isInCell && readings == 0:
            wantsText = true
            isInText = true
            areTextsFilled = areTextsFilled ?? false
            keepsSpaces = Self.keepsSpaces(attributes, of: bytes, within: keepsRun)
        case (1, 0x72) where isInCell: keepsRun = Self.keepsSpaces(attributes, of: bytes, within: keepsSheet)
        case (3, 0x72) where Self.isNamed("rPh", bytes, name): readings += 1
        case (3, 0x72) where Self.isNamed("row", bytes, name): column = -1
        default: break
        }
    }

    @inline(__always) mutating func close(_ bytes: Span<UInt8>, name: Range<Int>) throws(CountFault) {
        guard isInRows, !name.isEmpty else { return }
        switch (name.count, bytes[name.lowerBound]) {
        case (1, 0x63):
            if isInCell { try endCell() }
        case (1, 0x76), (1, 0x74): wantsText = false
        case (3, 0x72):
            if Self.isNamed("row", bytes, name) {
                counts.endRow()
            } else if readings > 0, Self.isNamed("rPh", bytes, name) {
                readings -= 1
            }
        case (9, 0x73): isDone = Self.isNamed("sheetData", bytes, name)
        default: break
        }
    }

    @inline(__always) mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>, isPiece: Bool) throws(CountFault) {
        if isInText {
            if areTextsFilled != true {
                areTextsFilled = keepsSpaces || PlainNumberText.holdsMoreThanSpace(bytes, range)
            }
            return
        }
        isValueFilled = true
        // Only numbers and indices of shared texts are parsed.
        guard kind == .number || kind == .shared || kind == .date else { return }
        if !isPiece, value.isEmpty, kind != .date {
            number = Self.number(bytes.extracting(range))
            if number != nil { return }
        }
        guard value.count + range.count <= 512 else { return }
        for index in range { value.append(bytes[index]) }
    }

    /// Reads a number or a shared text's index in the form that nearly all programs write: `<c
    /// r="B2" s="1" t="n"><v>1.5</v></c>`.
    @inline(__always) mutating func takeUsual(_ bytes: Span<UInt8>, at open: Int) throws(CountFault) -> Int? {
        // Reads at most a few bytes beyond `end`, which are checked to exist.
        let end = open + 192
        guard isInRows, end + 16 <= bytes.count else { return nil }
        guard let tag = Self.usualTag(bytes, at: open, before: end) else { return nil }
        func byte(_ place: Int) -> UInt8 { unsafe bytes[unchecked: place] }
        var place = tag.end
        guard place < end, byte(place) == 0x3C, byte(place + 1) == 0x76, byte(place + 2) == 0x3E else { return nil }
        let start = place + 3
        place = start
        while byte(place) != 0x3C {
            place += 1
            guard place < end else { return nil }
        }
        guard byte(place + 1) == 0x2F, byte(place + 2) == 0x76, byte(place + 3) == 0x3E, byte(place + 4) == 0x3C,
            byte(place + 5) == 0x2F, byte(place + 6) == 0x63, byte(place + 7) == 0x3E,
            let number = NumberText.decimal(bytes.extracting(start..<place))
        else { return nil }
        isInCell = false
        column = tag.letters > 0 ? tag.letters - 1 : column + 1
        if !tag.isShared {
            try counts.fill(column, number: number)
        } else if abs(number) >= 1e15 || !blankTexts.contains(Int(number)) {
            try counts.fill(column)
        }
        return place + 8
    }

    /// Reads the opening tag of the usual form: the number of its column's letters (0 without a
    /// reference), whether it refers to a shared text, and the position after it.
    @inline(__always) private static func usualTag(_ bytes: Span<UInt8>, at open: Int, before end: Int)
        -> (letters: Int, isShared: Bool, end: Int)?
    {
        func byte(_ place: Int) -> UInt8 { unsafe bytes[unchecked: place] }
        guard byte(open + 1) == 0x63, byte(open + 2) == 0x20 else { return nil }
        var place = open + 3
        var letters = 0
        var isShared = false
        while true {
            let name = byte(place)
            guard place < end, byte(place + 1) == 0x3D, byte(place + 2) == 0x22 else { return nil }
            place += 3
            switch name {
            case 0x72:
                while 0x41...0x5A ~= byte(place), letters < 1 << 20 {
                    letters = letters * 26 + Int(byte(place)) - 0x40
                    place += 1
                }
                guard letters > 0, byte(place) &- 0x30 <= 9 else { return nil }
            case 0x73: break
            case 0x74:
                isShared = byte(place) == 0x73
                guard isShared || byte(place) == 0x6E, byte(place + 1) == 0x22 else { return nil }
            default: return nil
            }
            while byte(place) != 0x22 {
                place += 1
                guard place < end else { return nil }
            }
            place += 2
            if byte(place - 1) == 0x3E { return (letters, isShared, place) }
            guard byte(place - 1) == 0x20 else { return nil }
        }
    }

    @inline(__always) private mutating func openCell(_ bytes: Span<UInt8>, _ attributes: Range<Int>) {
        isInCell = true
        keepsRun = keepsSheet
        (isValueFilled, areTextsFilled) = (nil, nil)
        readings = 0
        kind = .number
        number = nil
        if !value.isEmpty { value.removeAll(keepingCapacity: true) }
        column += 1
        var list = TagAttributes(attributes, of: bytes)
        while let attribute = list.next(bytes) {
            guard attribute.name.count == 1, !attribute.value.isEmpty else { continue }
            switch bytes[attribute.name.lowerBound] {
            case 0x72:
                var letters = 0
                for index in attribute.value {
                    let letter = bytes[index] & 0xDF
                    guard bytes[index] >= 0x41, letter <= 0x5A, letters < 1 << 20 else { break }
                    letters = letters * 26 + Int(letter) - 0x40
                }
                if letters > 0 { column = letters - 1 }
            case 0x74: kind = Self.kind(bytes, attribute.value)
            default: break
            }
        }
    }

    @inline(__always) private static func kind(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Kind {
        guard range.count == 1 else { return range.count == 3 ? .text : range.count == 9 ? .inline : .number }
        return switch bytes[range.lowerBound] {
        case 0x73: .shared
        case 0x62: .boolean
        case 0x65: .error
        case 0x64: .date
        default: .number
        }
    }

    @inline(__always) private mutating func endCell() throws(CountFault) {
        isInCell = false
        wantsText = false
        let isFilled = kind == .inline ? areTextsFilled ?? isValueFilled : isValueFilled ?? areTextsFilled
        guard isFilled ?? false else { return }
        switch kind {
        case .number:
            if let number = number ?? Self.number(value) { return try counts.fill(column, number: number) }
        case .shared:
            if let index = number ?? Self.number(value), abs(index) < 1e15, blankTexts.contains(Int(index)) { return }
        case .date:
            let isDay =
                value.count >= 10 && value[4] == 0x2D && value[7] == 0x2D && (value.count < 12 || value[10] == 0x54)
            if isDay || (value.count >= 8 && value[2] == 0x3A && value[5] == 0x3A) {
                return try counts.fillDate(column)
            }
        default: break
        }
        try counts.fill(column)
    }

    private static func number(_ value: [UInt8]) -> Double? {
        if value.isEmpty { return nil }
        if let number = number(value.span) { return number }
        guard value.contains(0x26) else { return nil }
        let resolved = PlainNumberText.resolved(value)
        return number(resolved.span)
    }

    @inline(__always) private static func number(_ bytes: Span<UInt8>) -> Double? {
        var (start, end) = (0, bytes.count)
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while start < end, bytes[end - 1] <= 0x20 { end -= 1 }
        return NumberText.decimal(bytes.extracting(start..<end))
    }

    /// Whether `xml:space` of an element, or else of the enclosing one, keeps white space.
    static func keepsSpaces(_ attributes: Range<Int>, of bytes: Span<UInt8>, within enclosing: Bool) -> Bool {
        var list = TagAttributes(attributes, of: bytes)
        while let attribute = list.next(bytes) {
            if isNamed("space", bytes, attribute.name) { return isNamed("preserve", bytes, attribute.value) }
        }
        return enclosing
    }

    @inline(__always) static func isNamed(_ name: StaticString, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<range.count {
            guard unsafe name.utf8Start[index] == bytes[range.lowerBound + index] else { return false }
        }
        return true
    }
}

/// Finds the blank shared texts of a workbook: cells that refer to them are empty.
struct BlankTexts: TagHandler {
    private static let mostTexts = 1 << 27

    private(set) var wantsText = false
    let isDone = false
    private var blank: Set<Int> = []
    private var count = 0
    private var readings = 0
    private var keepsSpaces = false
    private var (keepsTable, keepsItem, keepsRun) = (false, false, false)
    private var isFilled = false

    func contains(_ index: Int) -> Bool { !blank.isEmpty && blank.contains(index) }

    mutating func open(_ bytes: Span<UInt8>, name: Range<Int>, attributes: Range<Int>) throws(CountFault) {
        if SheetCells.isNamed("t", bytes, name), readings == 0 {
            wantsText = true
            keepsSpaces = SheetCells.keepsSpaces(attributes, of: bytes, within: keepsRun)
        } else if SheetCells.isNamed("r", bytes, name) {
            keepsRun = SheetCells.keepsSpaces(attributes, of: bytes, within: keepsItem)
        } else if SheetCells.isNamed("sst", bytes, name) {
            keepsTable = SheetCells.keepsSpaces(attributes, of: bytes, within: false)
        } else if SheetCells.isNamed("rPh", bytes, name) {
            readings += 1
        } else if SheetCells.isNamed("si", bytes, name) {
            keepsItem = SheetCells.keepsSpaces(attributes, of: bytes, within: keepsTable)
            keepsRun = keepsItem
            isFilled = false
            readings = 0
        }
    }

    mutating func close(_ bytes: Span<UInt8>, name: Range<Int>) throws(CountFault) {
        if SheetCells.isNamed("t", bytes, name) {
            wantsText = false
        } else if SheetCells.isNamed("rPh", bytes, name) {
            readings = max(0, readings - 1)
        } else if SheetCells.isNamed("si", bytes, name) {
            guard count < Self.mostTexts, blank.count < Self.mostTexts >> 5 else {
                throw .tooLarge("shared texts \(Self.mostTexts)")
            }
            if !isFilled { blank.insert(count) }
            count += 1
        }
    }

    mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>, isPiece: Bool) throws(CountFault) {
        isFilled = isFilled || keepsSpaces || PlainNumberText.holdsMoreThanSpace(bytes, range)
    }
}

/// Checks texts without decoding them.
enum PlainNumberText {
    /// Whether the text contains anything but white space, which may also be written as a reference
    /// (`&#10;`).
    @inline(__always) static func holdsMoreThanSpace(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == 0x26 { return resolved(range.map { bytes[$0] }).contains { !isSpace($0) } }
            if !isSpace(byte) { return true }
            index += 1
        }
        return false
    }

    @inline(__always) private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    /// Resolves numeric references to ASCII characters; any other reference becomes `&`.
    static func resolved(_ bytes: [UInt8]) -> [UInt8] {
        var made: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == 0x26, let end = rest.prefix(12).firstIndex(of: 0x3B) else {
                made.append(byte)
                continue
            }
            let word = String(decoding: rest[..<end], as: UTF8.self)
            let number =
                word.hasPrefix("#x")
                ? Int(word.dropFirst(2), radix: 16) : word.hasPrefix("#") ? Int(word.dropFirst()) : nil
            made.append(number.flatMap { 1..<0x80 ~= $0 ? UInt8($0) : nil } ?? 0x26)
            rest = rest[(end + 1)...]
        }
        return made
    }
}
