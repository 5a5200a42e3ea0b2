import Foundation
import Testing

@testable import Importing

@Suite struct TableSurveyTests {
    private func survey(_ text: String) throws -> TableSurvey {
        let folder = try TableFolder()
        return try TableSurvey(try TableFiles.open(path: folder.write(text)).tables[0])
    }

    @Test func findsTheHeaderBelowTitles() throws {
        let survey = try survey("Registro de calicatas;;;\nProyecto;Carretera;;\n\ncódigo;fecha;prof. (m);hora\nC-1;01/02/2024;1,50;7:30\nC-2;;2,10;08:00\n")
        #expect(survey.header?.row == 4)
        #expect((survey.header?.confidence ?? 0) > 0.9)
        #expect(survey.columns.map(\.name) == ["código", "fecha", "prof. (m)", "hora"])
        #expect(survey.columns.map(\.type) == [.text, .date, .number, .time])
        #expect(survey.columns.map(\.filled) == [2, 1, 2, 2])
        #expect(survey.rows == 2)
        #expect(survey.samples == [["C-1", "01/02/2024", "1,50", "7:30"], ["C-2", nil, "2,10", "08:00"]])
    }

    @Test func numbersAloneHaveNoHeader() throws {
        let survey = try survey("1,2\n3,4\n")
        #expect(survey.header == nil && survey.rows == 2 && survey.columns.map(\.name) == [nil, nil])
    }

    @Test func aColumnOfSeveralKindsIsMixed() throws {
        let survey = try survey("a,b\n1,x\ny,2024-01-01 10:00\n2,\n")
        #expect(survey.columns.map(\.type) == [.mixed, .mixed])
    }

    @Test(arguments: [
        ("1", ApparentType.number), ("-1.234,56", .number), ("1.5E-3", .number), ("+7", .number), ("12/05/2024", .date),
        ("2024-05-12", .date),
        ("12.05.24", .date), ("2024-05-12T10:00:00", .dateTime), ("7:30", .time), ("23:59:59", .time),
        ("12+300", .text), ("C-1", .text), ("-", .text),
        ("", .text), ("1-2", .text), ("3 de mayo", .text), ("1:2:3:4", .text),
    ]) func textLooksLike(text: String, look: ApparentType) {
        let bytes = Array(text.utf8)
        let found = ApparentType(bytes.span)
        #expect(found == look)
    }
}
