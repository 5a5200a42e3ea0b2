import Model

extension ExportFormat {
    /// The requested formats, separated by commas or repeated, each of which the export must
    /// support; its default formats if none is requested.
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
