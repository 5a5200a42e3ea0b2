import GRDBSQLite
import JSONReading
import Model
import Soils

/// Functions that classify a soil by a laboratory's results. The grading is a JSON array of sizes
/// and per cents in turn, `[75, 100, 4.75, 61.2, …]`, as `json_array` makes it of columns; a size
/// whose per cent is NULL was not used.
extension SQLFunctions {
    static func registerForSoils(on handle: OpaquePointer) {
        // The columns of a table ask for the same grading one after another.
        let gradings = ResultCache<Grading?>(limit: 16)
        func grading(_ text: String?) -> Grading? { text.flatMap { gradings.value(of: $0, Self.grading) } }
        unsafe addDirect("grain_size", 2, handle) { arguments in
            guard let percent = arguments.number(1) else { return .null }
            return grading(arguments.text(0))?.size(at: percent).map(MemoryRows.Value.real) ?? .null
        }
        unsafe addDirect("soil_group", 5, handle) { arguments in
            guard let grading = grading(arguments.text(0)) else { return .null }
            return UnifiedGroup.of(grading, plasticity(arguments), isOrganic: arguments.number(4) == 1).map(MemoryRows.Value.text) ?? .null
        }
        unsafe addDirect("highway_group", 4, handle) { arguments in
            guard let grading = grading(arguments.text(0)) else { return .null }
            return HighwayGroup(grading, plasticity(arguments)).map { .text($0.group) } ?? .null
        }
        unsafe addDirect("highway_group_index", 4, handle) { arguments in
            guard let grading = grading(arguments.text(0)) else { return .null }
            return HighwayGroup(grading, plasticity(arguments)).map { .integer(Int64($0.index)) } ?? .null
        }
    }

    /// The arguments 1 to 3: liquid limit, plasticity index, and 1 for a soil that is not plastic.
    private static func plasticity(_ arguments: FunctionArguments) -> Plasticity? {
        if arguments.number(3) == 1 { return Plasticity.none }
        guard let liquid = arguments.number(1), let index = arguments.number(2), (0...1000).contains(liquid), (0...1000).contains(index) else { return nil }
        return .limits(liquid: liquid, index: index)
    }

    private static func grading(_ json: String) -> Grading? {
        guard let items = (try? JSONValue.parse(json))?.items, items.count.isMultiple(of: 2) else { return nil }
        let pairs = stride(from: 0, to: items.count, by: 2).map { (items[$0], items[$0 + 1]) }
        return Grading(pairs.compactMap { size, passing in
            guard case .number(let size) = size, case .number(let passing) = passing, let size = Double(size), let passing = Double(passing) else { return nil }
            return (size, passing)
        })
    }
}
