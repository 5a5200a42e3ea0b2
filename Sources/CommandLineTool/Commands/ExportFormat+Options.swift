import Model

extension ExportFormat {
    /// Formats as given, with commas or repeated, each one that the export can be had in; those that it is made in when none is given.
    static func list(_ stated: [String], of export: String, made: [ExportFormat], onRequest: [ExportFormat] = []) throws -> [ExportFormat] {
        let names = stated.flatMap { $0.split(separator: ",").map(String.init) }
        guard !names.isEmpty else { return made }
        let offered = made + onRequest
        let wanted = try names.map { name in
            guard let format = ExportFormat(rawValue: name), offered.contains(format) else {
                throw SettingFailure.unknownFormat(name, export: export, known: offered.map(\.rawValue))
            }
            return format
        }
        return ExportFormat.allCases.filter(wanted.contains)
    }
}
