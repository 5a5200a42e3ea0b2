import Foundation
import Testing
import Workbench

@testable import Model
@testable import Packs

/// A kept pack is equal to the pack of its files. A kept file is ignored if it is incomplete,
/// belongs to somebody else, or was made from other files.
@Suite struct KeptPacksTests {
    /// A sample pack, and a folder in which it is kept.
    private struct Place {
        let folder: TemporaryFolder
        let base: TemporaryFolder
        let kept: KeptPacks

        init(_ pack: SamplePack = SamplePack(), program: String = "1") throws {
            folder = try TemporaryFolder()
            base = try TemporaryFolder()
            kept = KeptPacks(in: base.path, program: program)
            for (path, text) in pack.files { try folder.write(text, to: path) }
        }

        func load(_ kept: KeptPacks? = nil) throws -> Pack { try PackLoader.load("pits", from: folder.url, kept: kept ?? self.kept) }

        var directory: String { base.file("fichero") }
        var file: String { directory + "/pits.pack" }
        var bytes: [UInt8] { get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))) } }

        func replace(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }

        func setMode(_ mode: Int, of path: String) throws { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }

        /// Keeps a pack with another time zone than the files have. The time zone then shows where
        /// a loaded pack comes from.
        func keepAnother(_ kept: KeptPacks? = nil) throws {
            try change(kept ?? self.kept) { file in
                guard file.kind == .pack, case .keys(var pairs) = file.node, let index = pairs.firstIndex(where: { $0.key == "timeZone" }) else { return }
                pairs[index].value = "Etc/UTC"
                file.node = .keys(pairs)
            }
        }

        private func change(_ kept: KeptPacks, _ body: (inout PackFolder.File) -> Void) throws {
            let mistakes = MistakeList()
            var core = PackFolder(PackFolder.coreName, in: folder.url, mistakes: mistakes), own = PackFolder("pits", in: folder.url, mistakes: mistakes)
            core.parse()
            own.parse()
            var files = core.files + own.files
            for index in files.indices { body(&files[index]) }
            kept.keep(files, of: "pits", fingerprint: PackFolder.fingerprint(of: [core, own]))
        }
    }

    private static let own = "America/Lima"
    private static let another = "Etc/UTC"

    @Test func aSoundPackIsKeptAndUsed() throws {
        let place = try Place()
        #expect(try place.load().timeZone == Self.own)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory) == ["pits.pack"])
        #expect(try FileManager.default.attributesOfItem(atPath: place.directory)[.posixPermissions] as? Int == 0o700)
        #expect(try FileManager.default.attributesOfItem(atPath: place.file)[.posixPermissions] as? Int == 0o600)
        try place.keepAnother()
        #expect(try place.load().timeZone == Self.another)
    }

    /// The shipped packs are compared node by node, in every file.
    @Test(arguments: TemplatesTests.names) func aKeptPackIsTheSame(_ name: String) throws {
        let base = try TemporaryFolder()
        let kept = KeptPacks(in: base.path, program: "1")
        let plain = try PackLoader.load(name, from: TemplatesTests.folder)
        for _ in 0..<2 {
            let pack = try PackLoader.load(name, from: TemplatesTests.folder, kept: kept)
            #expect(pack.fingerprint == plain.fingerprint && pack.texts == plain.texts && pack.entities == plain.entities && pack.rules == plain.rules)
            #expect(pack.exports == plain.exports && pack.reports == plain.reports && pack.jobs == plain.jobs && pack.vocabularies == plain.vocabularies)
        }
        let mistakes = MistakeList()
        for layer in [PackFolder.coreName, name] {
            var folder = PackFolder(layer, in: TemplatesTests.folder, mistakes: mistakes)
            folder.parse()
            #expect(folder.files.count > 10)
            for file in folder.files {
                var bytes: [UInt8] = []
                file.node.write(to: &bytes)
                var rest = bytes[...]
                let read = try #require(PackNode.read(from: &rest))
                #expect(rest.isEmpty && read == file.node, "\(file.path)")
            }
        }
    }

    @Test func anotherByteIsAnotherPack() throws {
        let place = try Place()
        try place.keepAnother()
        let text = try place.folder.text(of: "pits/pack.yaml")
        try place.folder.write(text + "#", to: "pits/pack.yaml")
        #expect(try place.load().timeZone == Self.own)
    }

    @Test func whatTheProgramOfAnotherBuildKeptIsNotUsed() throws {
        let place = try Place()
        try place.keepAnother(KeptPacks(in: place.base.path, program: "0"))
        #expect(try place.load().timeZone == Self.own)
        // The kept file is replaced and is now valid for this program.
        #expect(try place.bytes.starts(with: Array("fichero pack\n1\n".utf8)))
    }

    @Test func damageIsNotUsedAndMended() throws {
        let place = try Place()
        _ = try place.load()
        let whole = try place.bytes
        for position in stride(from: 0, to: whole.count, by: whole.count / 10) {
            var flipped = whole
            flipped[position] ^= 1
            for damaged in [flipped, Array(whole[..<position]), whole + [0]] {
                try place.replace(damaged)
                #expect(try place.load().timeZone == Self.own)
                #expect(try place.bytes == whole)
            }
        }
    }

    @Test func aFolderOrFileThatOthersMayWriteIsNotUsed() throws {
        let place = try Place()
        for (path, right) in [(place.directory, 0o700), (place.file, 0o600)] {
            for mode in [0o777, 0o720, 0o702] {
                try place.keepAnother()
                #expect(try place.load().timeZone == Self.another)
                try place.setMode(mode, of: path)
                #expect(try place.load().timeZone == Self.own, "\(path) \(mode)")
                try place.setMode(right, of: path)
            }
        }
    }

    @Test func whatIsSomebodyElsesIsNeitherUsedNorWritten() throws {
        let place = try Place()
        try place.keepAnother()
        let before = try place.bytes
        let other = KeptPacks(in: place.base.path, program: "1", owner: geteuid() + 1)
        #expect(try place.load(other).timeZone == Self.own)
        #expect(try place.bytes == before)
    }

    /// Root has a user's home with sudo.
    @Test func nothingIsMadeInAHomeOfSomebodyElse() throws {
        let home = try TemporaryFolder()
        let place = try Place()
        let user: uid_t = geteuid() == 0 ? 1000 : geteuid()
        if geteuid() == 0 { #expect(unsafe chown(home.path, user, user) == 0) }
        #expect(try place.load(KeptPacks(in: home.file(".cache"), program: "1", owner: geteuid() == 0 ? 0 : user + 1)).timeZone == Self.own)
        #expect(try home.names == [])
        // A cache folder that the user has already is left as it is too.
        try FileManager.default.createDirectory(atPath: home.file(".cache"), withIntermediateDirectories: false)
        if geteuid() == 0 { #expect(unsafe chown(home.file(".cache"), user, user) == 0) }
        #expect(try place.load(KeptPacks(in: home.file(".cache"), program: "1", owner: geteuid() == 0 ? 0 : user + 1)).timeZone == Self.own)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.file(".cache")) == [])
    }

    @Test func linksPipesAndFoldersAreNoKeptPacks() throws {
        let place = try Place()
        try place.keepAnother()
        let elsewhere = place.base.file("elsewhere.pack")
        try FileManager.default.moveItem(atPath: place.file, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: place.file, withDestinationPath: elsewhere)
        #expect(try place.load().timeZone == Self.own)
        try FileManager.default.removeItem(atPath: place.file)
        #expect(unsafe mkfifo(place.file, 0o600) == 0)
        #expect(try place.load().timeZone == Self.own)
        try FileManager.default.removeItem(atPath: place.file)
        try FileManager.default.createDirectory(atPath: place.file, withIntermediateDirectories: false)
        #expect(try place.load().timeZone == Self.own)
        // The folder must not be a link either.
        let other = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: other.file("fichero"), withDestinationPath: place.directory)
        #expect(try place.load(KeptPacks(in: other.path, program: "1")).timeZone == Self.own)
    }

    /// If nothing can be kept, the pack still loads, and there is no message.
    @Test func aPlaceThatCannotBeWrittenIsNoError() throws {
        let place = try Place()
        let file = try place.base.write("x", to: "file")
        for base in [file, place.base.file("no/such/folder"), "/proc"] {
            #expect(try place.load(KeptPacks(in: base, program: "1")).timeZone == Self.own)
        }
        #expect(try place.base.names == ["file"])
    }

    /// A user's own folder may hold a file with wrong lengths or endless nesting. Such a file is
    /// not used.
    @Test func hostileTreesAreNotUsed() throws {
        let place = try Place()
        let fingerprint = try place.load().fingerprint
        let whole = try place.bytes
        let deep = (0..<100_000).flatMap { _ in [2, 1, 0, 0, 0] as [UInt8] }
        let hostile: [[UInt8]] = [
            [], [0], [4], [255], [0, 255, 255, 255, 255], [0, 1, 0, 0, 0, 0xFF], [1, 2, 0, 0, 0, 0x41], [2, 255, 255, 255, 127], [3, 255, 255, 255, 127],
            [3, 1, 0, 0, 0, 1, 0, 0, 0, 0x41], [2, 2, 0, 0, 0, 0, 0, 0, 0, 0], deep, [UInt8](repeating: 2, count: 1 << 20),
        ]
        for trees in hostile {
            try place.replace(place.kept.sealed(trees, fingerprint))
            #expect(try place.load().timeZone == Self.own)
            #expect(try place.bytes == whole)
        }
    }

    /// A pack with a mistake is never kept, so the mistake is reported each time.
    @Test func onlySoundPacksAreKept() throws {
        let broken = try Place(SamplePack().adding("pits/rules/broken.yaml", "rules: 5\n"))
        let part = try Place(SamplePack().adding("pits/jobs/broken.yaml", "job: [\n"))
        let stray = try Place(SamplePack().adding("pits/entities/notes.txt", "x"))
        for place in [broken, stray] {
            for _ in 0..<2 { #expect(throws: PackFailure.self) { try place.load() } }
            #expect(try place.base.names.isEmpty)
        }
        for _ in 0..<2 { #expect(try PackLoader.loadSound("pits", from: part.folder.url, kept: part.kept).broken.map(\.name) == ["broken"]) }
        #expect(try part.base.names.isEmpty)
        // A file that no pack may have is reported although the rest of the pack is kept.
        let place = try Place()
        _ = try place.load()
        try place.folder.write("x", to: "pits/entities/notes.txt")
        #expect(throws: PackFailure.self) { try place.load() }
    }

    @Test func placesAsTheDesktopsHaveThem() {
        func directory(_ environment: [String: String]) -> String? {
            KeptPacks(environment, program: "1", templates: URL(fileURLWithPath: "/usr/share/fichero/Templates")).directory
        }
        #expect(directory(["HOME": "relative"]) == nil && directory([:]) == nil)
        #expect(directory(["HOME": "/home/ana", "XDG_CACHE_HOME": "relative"]) == "/home/ana/.cache/fichero")
        #expect(directory(["HOME": "/home/ana", "XDG_CACHE_HOME": "/var/cache/ana"]) == "/var/cache/ana/fichero")
    }

    /// The packs that came with the program are used if the user has none that is valid. They are
    /// never changed.
    @Test func aPackThatCameWithTheProgramIsUsed() throws {
        let place = try Place()
        try place.keepAnother()
        let before = try place.bytes
        let user = try TemporaryFolder()
        for base in [nil, user.path] as [String?] {
            #expect(try place.load(KeptPacks(in: base, shipped: place.directory, program: "1")).timeZone == Self.another)
            #expect(try place.load(KeptPacks(in: nil, shipped: place.directory, program: "2")).timeZone == Self.own)
        }
        #expect(try place.bytes == before && user.names.isEmpty)
        // A pack that the user keeps is used first.
        #expect(try place.load(KeptPacks(in: user.path, program: "1")).timeZone == Self.own)
        #expect(try place.load(KeptPacks(in: user.path, shipped: place.directory, program: "1")).timeZone == Self.own)
        try place.setMode(0o777, of: place.directory)
        #expect(try place.load(KeptPacks(in: nil, shipped: place.directory, program: "1")).timeZone == Self.own)
    }
}
