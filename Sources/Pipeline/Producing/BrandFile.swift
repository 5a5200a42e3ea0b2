package import Blocks
import Digests
import Foundation
import Model
import Reporting
import Yams

/// The firm's look on its documents, from `brand.yaml`: name, contact, logo, clientLogo (paths
/// relative to the file), primary and accent (hexadecimal colours), font. Everything but the name
/// may be left out.
enum BrandFile {
    private static let keys = ["name", "contact", "logo", "clientLogo", "primary", "accent", "font"]
    private static let mostBytes = 4 << 20
    private static let mostPixels = 8000

    static func load(_ path: String) throws -> Brand {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ReportFailure.brand(path: path, reason: "no such file")
        }
        let node: Node?
        do {
            node = try Yams.compose(yaml: String(decoding: data, as: UTF8.self))
        } catch {
            throw ReportFailure.brand(path: path, reason: "not YAML: \(error)")
        }
        guard let mapping = node?.mapping else {
            throw ReportFailure.brand(path: path, reason: "not a mapping of keys to values")
        }
        var values: [String: String] = [:]
        for (key, value) in mapping {
            let line = key.mark.map { "\($0.line): " } ?? ""
            guard let name = key.scalar?.string, keys.contains(name) else {
                throw ReportFailure.brand(
                    path: path,
                    reason: "\(line)\(key.scalar?.string ?? "?") is unknown; known: \(keys.joined(separator: ", "))")
            }
            guard let text = value.scalar?.string else {
                throw ReportFailure.brand(path: path, reason: "\(line)\(name) is no plain value")
            }
            if name == "primary" || name == "accent", text.wholeMatch(of: /#[0-9A-Fa-f]{6}/) == nil {
                throw ReportFailure.brand(path: path, reason: "\(line)\(name): \(text) is no colour such as #1F3A5F")
            }
            values[name] = text
        }
        guard let name = values["name"] else {
            throw ReportFailure.brand(path: path, reason: "the firm's name is missing")
        }
        var brand = Brand(name: name, contact: values["contact"])
        if let colour = values["primary"] { brand.primary = colour }
        if let colour = values["accent"] { brand.accent = colour }
        if let font = values["font"] { brand.font = font }
        var sum = SHA256()
        sum.update([UInt8](data))
        for key in ["logo", "clientLogo"] {
            guard let file = values[key] else { continue }
            let logo = try picture(file, beside: path)
            sum.update(logo.bytes)
            if key == "logo" { brand.logo = logo } else { brand.clientLogo = logo }
        }
        brand.fingerprint = sum.digest().hexadecimal
        return brand
    }

    private static func picture(_ file: String, beside path: String) throws -> ReportPicture {
        let url = URL(fileURLWithPath: file, relativeTo: URL(fileURLWithPath: path).deletingLastPathComponent())
        guard let data = FileManager.default.contents(atPath: url.path), data.count <= mostBytes,
            let picture = ReportPicture(file: [UInt8](data))
        else {
            throw ReportFailure.brand(path: path, reason: "\(file) is no PNG or JPEG of at most 4 MiB")
        }
        // A small file may decompress to a picture that exhausts the memory.
        guard picture.width <= mostPixels, picture.height <= mostPixels else {
            throw ReportFailure.brand(path: path, reason: "\(file) is larger than \(mostPixels) pixels on a side")
        }
        return picture
    }
}

extension WorkSession {
    /// The brand of the `--brand` option, the configuration or the pack; else a plain one with the
    /// system's name.
    package func brand(option: String?) throws -> Brand {
        try brandPath(option: option).map(BrandFile.load) ?? Brand(name: text("pack.title"))
    }

    /// Path of the brand file; nil if there is none.
    package func brandPath(option: String?) -> String? {
        let own = pack.directory.appendingPathComponent("brand.yaml").path
        return option ?? brandFile ?? (FileManager.default.fileExists(atPath: own) ? own : nil)
    }
}
