import Foundation
import Model
import OutputFiles
import Testing
import Workbench

@Suite struct OutputFileTests {
    @Test func appearsCompleteUnderItsTemporaryName() throws {
        let folder = try TemporaryFolder()
        var file = try OutputFile(finalPath: folder.path + "/a.csv")
        try file.write(Array("hola ".utf8).span)
        try file.write(Array("mundo".utf8).span)
        #expect(try folder.names.count == 1 && folder.names.allSatisfy(TemporaryName.matches))
        let written = try file.close(rows: 3)
        #expect(written.bytes == 10 && written.rows == 3)
        #expect(try written.sha256 == OtherProgram.sha256(written.temporaryPath))
        #expect(FileManager.default.contents(atPath: written.temporaryPath) == Data("hola mundo".utf8))
    }

    @Test func patchedBytesAreInTheSum() throws {
        let folder = try TemporaryFolder()
        var file = try OutputFile(finalPath: folder.path + "/a.bin")
        try file.write([UInt8](repeating: 65, count: 600_000).span)
        try file.patch([66, 66].span, at: 10)
        try file.write([67].span)
        let written = try file.close(rows: 0)
        #expect(written.bytes == 600_001)
        #expect(try written.sha256 == OtherProgram.sha256(written.temporaryPath))
    }

    @Test func isGoneWhenGivenUp() throws {
        let folder = try TemporaryFolder()
        do {
            var file = try OutputFile(finalPath: folder.path + "/a.csv")
            try file.write([1].span)
        }
        #expect(try folder.names == [])
    }

    @Test func failuresAreTyped() throws {
        #expect(throws: OutputFailure.directoryMissing(path: "/nowhere/at/all")) { _ = try OutputFile(finalPath: "/nowhere/at/all") }
        #expect(OutputFailure.system(ENOSPC, path: "x") == .diskFull(path: "x"))
        #expect(OutputFailure.system(EDQUOT, path: "x").exitCode == .inputOutput)
        #expect(OutputFailure.system(EROFS, path: "x") == .notPermitted(path: "x"))
        #expect(OutputFailure.system(EROFS, path: "x").exitCode == .cannotCreateOutput)
        #expect(OutputFailure.system(EIO, path: "x").code == "OUTPUT-IO")
    }

    @Test func temporaryNamesAreRecognised() {
        let path = TemporaryName.path(beside: "/a/b/" + String(repeating: "ñ", count: 200) + ".xlsx")
        let name = String(path.split(separator: "/").last ?? "")
        #expect(path.hasPrefix("/a/b/.ñ") && name.utf8.count <= 255 && TemporaryName.matches(name))
        for foreign in ["a.xlsx", ".a.partial", ".hidden", ".a.xlsx.0123456789AB.partial", "a.0123456789ab.partial"] {
            #expect(!TemporaryName.matches(foreign))
        }
    }
}
