import Foundation
import Model
import Testing
import Workbench

@testable import Exporting

extension TemporaryFolder {
    /// Writes an export and gives its files their final names, as a run does.
    func write(
        _ document: ExportDocument, with writer: some ExportWriter, stem: String = "out", findings: FindingList = FindingList()
    ) throws -> [String: WrittenFile] {
        var files: [String: WrittenFile] = [:]
        for file in try writer.write(document, stem: self.file(stem), findings: findings, progress: { _ in }) {
            try FileManager.default.moveItem(atPath: file.temporaryPath, toPath: file.finalPath)
            files[URL(filePath: file.finalPath).lastPathComponent] = file
        }
        return files
    }
}

/// Text files that an export wrote. Other programs read them, or they are compared with approved
/// files.
enum WrittenText {
    /// The rows that Python's csv module reads.
    static func readCSV(_ path: String, separator: String = ",", encoding: String = "utf-8") throws -> [[String]] {
        let script = """
            import csv, json, sys
            csv.field_size_limit(1 << 30)
            with open(sys.argv[1], newline="", encoding=sys.argv[3]) as f:
                print(json.dumps(list(csv.reader(f, delimiter=sys.argv[2], strict=True))))
            """
        let output = try OtherProgram.run("/usr/bin/python3", ["-c", script, path, separator, encoding])
        try #require(output.status == 0, "\(output.text)")
        return try JSONDecoder().decode([[String]].self, from: Data(output.text.utf8))
    }

    /// Compares the content with a golden file. If `FICHERO_UPDATE_GOLDENS` is set, it writes the
    /// golden file.
    static func expectGolden(_ content: Data, _ name: String) throws {
        let golden = ProjectFolder.root.appending(path: "Tests/Exporting/Goldens/" + name)
        if ProcessInfo.processInfo.environment["FICHERO_UPDATE_GOLDENS"] != nil {
            try content.write(to: golden)
        }
        let expected = try Data(contentsOf: golden)
        #expect(String(decoding: content, as: UTF8.self) == String(decoding: expected, as: UTF8.self), "\(name)")
        #expect(content == expected, "\(name), byte for byte")
    }
}
