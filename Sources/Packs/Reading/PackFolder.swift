internal import Digests
internal import Foundation
internal import Model

/// The files of one folder under `Templates/`. They are read first, and parsed unless their
/// contents are cached (`KeptPacks`).
struct PackFolder {
    struct File {
        var kind: PackFormat.FileKind
        var isCore: Bool
        /// The path below `Templates/`.
        var path: String
        /// The file's name without `.yaml`.
        var stem: String
        /// The language read from the file, if it has all languages side by side.
        var language: Language?
        /// The report whose folder the file is in.
        var report: String?
        var bytes: [UInt8]
        /// The content with places, for checks; empty before the file is parsed.
        var root = YAMLNode(content: .mapping([]), place: PackPlace(file: ""))
        /// The content without places, to build the pack; empty before the file is parsed or found
        /// in the cache.
        var node = PackNode.keys([])

        /// The prefix of the keys of a text file; a report's texts have a different one.
        var keyPrefix: String { report.map { "report.\($0)." } ?? "" }

        /// The place of the file as a whole.
        var place: PackPlace { PackPlace(file: path) }
    }

    /// The stem of a file with the texts of all languages: `key: {es: …, en: …, it: …}`.
    static let allLanguages = "all"
    static let coreName = "core"
    static let brandName = "brand.yaml"
    private static let maximumFiles = 1000

    var files: [File] = []
    /// The bytes of every YAML, Mustache and picture file by path, valid or not, for the
    /// fingerprint.
    private(set) var contents: [(path: String, bytes: [UInt8])] = []
    /// Whether a file could not be parsed, so that its names may seem unknown in other files.
    private(set) var isBroken = false
    /// The Mustache files of reports, by `NAME/file`.
    private(set) var pages: [String: String] = [:]
    /// The pictures of reports, by `NAME/file`.
    private(set) var pictures: Set<String> = []

    private let name: String
    private let isCore: Bool
    private let directory: URL
    private let mistakes: MistakeList
    /// The parts that are not read: `reports/avance`, `jobs/monthly`.
    private let leftOut: Set<String>

    init(_ name: String, in templates: URL, leavingOut leftOut: Set<String> = [], mistakes: MistakeList) {
        self.leftOut = leftOut
        self.name = name
        self.isCore = name == Self.coreName
        self.directory = templates.appendingPathComponent(name, isDirectory: true)
        self.mistakes = mistakes
        read()
    }

    /// The kinds of files that this folder may have in its subfolders.
    private var kinds: [PackFormat.FileKind] {
        isCore ? [.vocabulary, .entity, .rules, .texts] : PackFormat.FileKind.allCases.filter { $0 != .pack }
    }

    private mutating func read() {
        guard let names = Self.names(in: directory) else {
            isBroken = true
            var arguments = ["name": name]
            arguments["nearest"] = Spelling.nearest(
                to: name, among: PackLoader.names(in: directory.deletingLastPathComponent()))
            return mistakes.add(.missingFile, at: PackPlace(file: name), arguments)
        }
        if !isCore, !names.contains("pack.yaml") {
            isBroken = true
            mistakes.add(.missingFile, at: PackPlace(file: name + "/pack.yaml"), ["name": "pack.yaml"])
        }
        for entry in names {
            let url = directory.appendingPathComponent(entry)
            let path = name + "/" + entry
            if Self.isDirectory(url) {
                if entry == PackFormat.FileKind.report.rawValue, kinds.contains(.report) {
                    readReports(url, path: path)
                } else if let kind = kinds.first(where: { $0.rawValue == entry }) {
                    read(kind, in: url, path: path)
                } else {
                    addUnknownFile(path, entry)
                }
            } else if entry == Self.brandName, !isCore {
                // The brand is read by each run: a pack is complete without it.
                continue
            } else if entry == "pack.yaml", !isCore {
                read(.pack, url, path: path, stem: "pack")
            } else if entry.hasSuffix(".yaml") || entry.hasSuffix(".yml") {
                addUnknownFile(path, entry)
            }
        }
    }

    private mutating func read(_ kind: PackFormat.FileKind, in directory: URL, path: String) {
        for entry in Self.names(in: directory) ?? [] where !entry.hasSuffix(".md") {
            let stem = String(entry.dropLast(".yaml".count))
            if leftOut.contains(kind.rawValue + "/" + stem) { continue }
            let isLanguage = Language(rawValue: stem) != nil || stem == Self.allLanguages
            if entry.hasSuffix(".yaml"), !stem.isEmpty, kind != .texts || isLanguage {
                read(kind, directory.appendingPathComponent(entry), path: path + "/" + entry, stem: stem)
            } else {
                addUnknownFile(path + "/" + entry, entry)
            }
        }
    }

    /// Reads the folder of each report: its template, texts, Mustache files and pictures.
    private mutating func readReports(_ directory: URL, path: String) {
        for name in Self.names(in: directory) ?? []
        where !name.hasSuffix(".md") && !leftOut.contains(PackFormat.FileKind.report.rawValue + "/" + name) {
            let folder = directory.appendingPathComponent(name)
            guard Self.isDirectory(folder) else {
                addUnknownFile(path + "/" + name, name)
                continue
            }
            let files = Self.names(in: folder) ?? []
            if !files.contains("report.yaml") {
                isBroken = true
                mistakes.add(.missingFile, at: PackPlace(file: "\(path)/\(name)/report.yaml"), ["name": "report.yaml"])
            }
            for entry in files where !entry.hasSuffix(".md") {
                let url = folder.appendingPathComponent(entry)
                readReportFile(entry, url, report: name, path: "\(path)/\(name)/\(entry)")
            }
        }
    }

    private mutating func readReportFile(_ entry: String, _ url: URL, report: String, path: String) {
        let ending = url.pathExtension.lowercased()
        if entry == "report.yaml" {
            read(.report, url, path: path, stem: report, report: report)
        } else if ending == "yaml",
            [Language.allCases.map(\.rawValue), [Self.allLanguages]].joined().contains(
                String(entry.dropLast(".yaml".count)))
        {
            read(.texts, url, path: path, stem: String(entry.dropLast(".yaml".count)), report: report)
        } else if ["mustache", "png", "jpg", "jpeg"].contains(ending) {
            guard let bytes = Self.bytes(of: url, path: path, mistakes: mistakes) else { return }
            contents.append((path, bytes))
            if ending == "mustache" {
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    return mistakes.add(.notUTF8, at: PackPlace(file: path))
                }
                pages[report + "/" + entry] = text
            } else {
                pictures.insert(report + "/" + entry)
            }
        } else {
            addUnknownFile(path, entry)
        }
    }

    private mutating func read(
        _ kind: PackFormat.FileKind, _ url: URL, path: String, stem: String, report: String? = nil
    ) {
        guard contents.count < Self.maximumFiles else {
            isBroken = true
            return mistakes.add(.tooBig, at: PackPlace(file: path), ["limit": "\(Self.maximumFiles) files"])
        }
        guard let bytes = Self.bytes(of: url, path: path, mistakes: mistakes) else {
            isBroken = true
            return
        }
        contents.append((path, bytes))
        guard kind == .texts, stem == Self.allLanguages else {
            return files.append(File(kind: kind, isCore: isCore, path: path, stem: stem, report: report, bytes: bytes))
        }
        files += Language.allCases.map {
            File(kind: kind, isCore: isCore, path: path, stem: $0.rawValue, language: $0, report: report, bytes: bytes)
        }
    }

    /// Parses every file of some kinds. Other files, and files that cannot be parsed, are left out;
    /// only files that cannot be parsed are reported.
    mutating func parse(_ kinds: [PackFormat.FileKind] = PackFormat.FileKind.allCases) {
        // A file with the texts of all languages is in the list once for each language.
        var last: (path: String, root: YAMLNode?) = ("", nil)
        files = files.compactMap { file in
            guard kinds.contains(file.kind) else { return nil }
            var file = file
            let before = mistakes.mistakes.count
            if last.path != file.path {
                last = (file.path, YAMLReader.read(file.bytes, file: file.path, mistakes: mistakes))
            }
            var root = last.root
            if let language = file.language {
                root = root.map { SideBySideTexts.texts($0, of: language, mistakes: mistakes) }
            }
            // Duplicate keys are reported but leave a complete tree; any other mistake leaves gaps.
            if root == nil || mistakes.mistakes[before...].contains(where: { $0.code != .duplicateKey }) {
                isBroken = true
            }
            guard let root else { return nil }
            file.root = root
            file.node = root.plain ?? .keys([])
            return file
        }
    }

    /// The bytes of a regular file of limited size; nil, and reported, for any other file: a link
    /// may point anywhere, and a pipe never ends.
    static func bytes(of url: URL, path: String, mistakes: MistakeList) -> [UInt8]? {
        let place = PackPlace(file: path)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else {
            mistakes.add(.missingFile, at: place, ["name": path])
            return nil
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? Int else {
            mistakes.add(.unknownFile, at: place, ["name": url.lastPathComponent])
            return nil
        }
        guard size <= YAMLReader.maximumBytes else {
            mistakes.add(.tooBig, at: place, ["limit": "\(YAMLReader.maximumBytes >> 10) KiB"])
            return nil
        }
        guard let data = try? Data(contentsOf: url) else {
            mistakes.add(.missingFile, at: place, ["name": path])
            return nil
        }
        return [UInt8](data)
    }

    private func addUnknownFile(_ path: String, _ entry: String) {
        var arguments = ["name": entry]
        let known = kinds.map(\.rawValue) + (isCore ? [] : ["pack.yaml"])
        arguments["nearest"] = Spelling.nearest(to: entry, among: known)
        mistakes.add(.unknownFile, at: PackPlace(file: path), arguments)
    }

    /// The names in a folder in alphabetical order, without hidden ones; nil when there is no such
    /// folder.
    static func names(in directory: URL) -> [String]? {
        guard isDirectory(directory), let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
        else {
            return nil
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    static func isDirectory(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }

    /// Whether a file grants rights (`RulingContent`).
    private static func rules(_ path: String) -> Bool {
        let folder = path.split(separator: "/").dropFirst().first.flatMap { PackFormat.FileKind(rawValue: String($0)) }
        return switch folder {
        case .mapping, .report, .job, .test, .texts: false
        case .pack, .vocabulary, .entity, .rules, .export, nil: true
        }
    }

    /// The SHA-256 over the paths and bytes of all files, in the order of their paths. Lengths
    /// separate neighbours.
    ///
    /// - Parameter isRuling: whether only the files that grant rights count (`RulingContent`).
    static func fingerprint(of folders: [PackFolder], isRuling: Bool = false) -> String {
        var hash = SHA256()
        for (path, bytes) in folders.flatMap(\.contents).sorted(by: { $0.path < $1.path })
        where !isRuling || Self.rules(path) {
            hash.update(Array("\(path.utf8.count) \(path) \(bytes.count) ".utf8))
            hash.update(bytes)
        }
        return hash.digest().hexadecimal
    }
}

/// Texts of all languages side by side: `key: {es: …, en: …, it: …}`, or one text that is the same
/// in all.
enum SideBySideTexts {
    /// The texts of one language, as if they were in a separate file.
    static func texts(_ root: YAMLNode, of language: Language, mistakes: MistakeList) -> YAMLNode {
        let known = Language.allCases.map(\.rawValue)
        var root = root
        root.content = .mapping(root.pairs.compactMap { pair in
            // The check of all texts reports a value that is neither a text nor texts by language.
            guard case .mapping = pair.value.content else { return pair }
            for own in pair.value.pairs where !known.contains(own.key) {
                    mistakes.add(
                        .unknownKey, at: own.keyPlace,
                        ["key": own.key, "known": known.joined(separator: ", "), "nearest": known[0]])
            }
            guard let text = pair.value[language.rawValue] else { return nil }
            var pair = pair
            pair.value = text
            return pair
        })
        return root
    }
}
