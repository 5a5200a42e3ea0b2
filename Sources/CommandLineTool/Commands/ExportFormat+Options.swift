import Model

extension ExportFormat {
    /// Formats as given, with commas or repeated, each one that the export is made in; all of them when none is given.
    static func list(_ stated: [String], of export: String, offered: [ExportFormat]) throws -> [ExportFormat] {
        let names = stated.flatMap { $0.split(separator: ",").map(String.init) }
        guard !names.isEmpty else { return offered }
        let wanted = try names.map { name in
            guard let format = ExportFormat(rawValue: name), offered.contains(format) else {
                throw SettingFailure.unknownFormat(name, export: export, known: offered.map(\.rawValue))
            }
            return format
        }
        return ExportFormat.allCases.filter(wanted.contains)
    }
}
