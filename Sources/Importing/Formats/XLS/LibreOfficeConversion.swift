internal import Foundation
internal import Model

/// Converts a workbook to XLSX with LibreOffice, limited in time and memory, with a temporary
/// profile.
enum LibreOfficeConversion {
    static var limits: ProgramLimits {
        var limits = ProgramLimits()
        limits.processorSeconds = 120
        limits.memory = 8 << 30
        limits.fileBytes = 1 << 30
        limits.output = 1 << 20
        limits.silentSeconds = 180
        return limits
    }

    static func tables(
        _ path: String, form: String, search: String, _ openXLSX: (String) throws -> any TableFile
    ) throws -> [ForeignTable] {
        let folder: PrivateFolder
        do {
            folder = try PrivateFolder()
            // A fixed name: no part of the user's file name can become an option or an output path.
            try FileManager.default.copyItem(
                at: URL(fileURLWithPath: path), to: folder.url.appendingPathComponent("book.xls"))
        } catch { throw ImportFailure.unreadable(path: path) }
        do throws(ProgramFault) {
            let program = try BoundedProgram(
                "soffice",
                [
                    "--headless", "--norestore", "-env:UserInstallation=\(folder.url.appendingPathComponent("profile").absoluteString)",
                    "--convert-to", "xlsx", "--outdir", folder.url.path,
                    folder.url.appendingPathComponent("book.xls").path,
                ], search: search, limits: limits)
            _ = try program.all(limit: limits.output)
        } catch .notFound {
            throw TableFailure.needs(path: path, kind: XLSFile.kind, what: "LibreOffice (soffice), for \(form)")
        } catch {
            guard case .failed = error else {
                // It ran out of something, or was killed. That says nothing about the file.
                let what = "more memory or time for \(form): \(error.reason("LibreOffice"))"
                throw TableFailure.needs(path: path, kind: XLSFile.kind, what: what)
            }
            throw TableFailure.damaged(Place(file: path), kind: XLSFile.kind, reason: error.reason("LibreOffice"))
        }
        let made = folder.url.appendingPathComponent("book.xlsx").path
        guard FileManager.default.fileExists(atPath: made) else {
            throw TableFailure.damaged(
                Place(file: path), kind: XLSFile.kind, reason: "LibreOffice cannot read it (\(form))")
        }
        let file = try openXLSX(made)
        return file.tables.map { table in
            var table = table
            let open = table.open
            table.open = {
                // The file and its folder live as long as any table of it.
                try withExtendedLifetime((folder, file)) { try open() }
            }
            return table
        }
    }
}
