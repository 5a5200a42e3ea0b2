import Foundation
import Model
import OutputFiles
import Testing
@testable import Reporting

@Suite struct WorkbookRendererTests {
    @Test func everythingComesOut() throws {
        let folder = try ReportFolder()
        let book = try folder.write(ReportSamples.everything())
        #expect(try book("wb.sheetnames") == "['Índice', 'Resumen', 'Calicata C-001', 'Calicata C-002', 'Plano', 'Datos de gráficos']")
        if let keep = ProcessInfo.processInfo.environment["KEEP_REPORT"] { try FileManager.default.copyItem(atPath: book.path, toPath: keep) }
    }
}
