internal import Foundation
internal import Model
internal import Photos

/// The rows of a folder of pictures. Each file is read once, one at a time.
final class PictureRows: ForeignRows, CellNaming {
    /// `folder` is the path of folders below the imported one, `root` the imported folder's name.
    /// `stem` is the picture's name without extension, `number` the last number in the stem.
    static let columns = [
        "path", "root", "folder", "name", "stem", "number", "type", "bytes", "sha256", "width", "height", taken,
        "latitude", "longitude",
    ]
    /// The time of the photo: an instant if the camera states its offset from UTC, otherwise the
    /// time of its clock.
    static let taken = "taken"

    /// Properties of a picture that concern the whole folder.
    struct Note {
        let path: String
        let sha256: String
        let isWithoutZone: Bool
    }

    private struct Facts {
        let type: String
        let sha256: String
        var size: (width: Int, height: Int)?
        var camera: CameraData?
    }

    private static let types = ["JPEG": "image/jpeg", "PNG": "image/png", "HEIC": "image/heic"]

    private let folder: String
    private let root: String
    private let pictures: [PictureFolder.Picture]
    private let note: (Note) -> Void
    private var next = 0
    /// Index of the first row in the current batch.
    private var first = 0

    init(_ folder: String, _ pictures: [PictureFolder.Picture], note: @escaping (Note) -> Void) {
        (self.folder, self.pictures, self.note) = (folder, pictures, note)
        root = URL(fileURLWithPath: folder).standardizedFileURL.lastPathComponent
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        first = next
        while next < pictures.count, !batch.isFull {
            add(pictures[next], to: &batch)
            next += 1
            batch.endRow(number: next)
        }
    }

    /// A picture's cells are identified by its path, not by column and row.
    func cellName(row: Int, column: Int) -> String? {
        pictures.indices.contains(first + row) ? pictures[first + row].path : nil
    }

    private func add(_ picture: PictureFolder.Picture, to batch: inout ForeignBatch) {
        let parts = picture.path.split(separator: "/").map(String.init)
        let name = parts.last ?? ""
        let stem = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
        let number = stem.split { !$0.isASCII || !$0.isNumber }.last.map(String.init)
        let below = parts.dropLast().joined(separator: "/")
        for text: String? in [picture.path, root, below, name, stem, number] { append(text, to: &batch) }
        switch facts(of: picture) {
        case .success(let facts):
            append(facts.type, to: &batch)
            batch.append(.number, String(picture.bytes))
            append(facts.sha256, to: &batch)
            let camera = facts.camera
            append(facts.size?.width.description, as: .number, to: &batch)
            append(facts.size?.height.description, as: .number, to: &batch)
            append(camera?.taken.map(Self.text), to: &batch)
            append(camera?.latitude?.description, as: .number, to: &batch)
            append(camera?.longitude?.description, as: .number, to: &batch)
            let isWithoutZone = camera?.taken.map { $0.offset == nil } ?? false
            note(Note(path: picture.path, sha256: facts.sha256, isWithoutZone: isWithoutZone))
        case .failure(let fault):
            batch.appendEmpty()
            batch.append(.number, String(picture.bytes))
            batch.setRowText(picture.path)
            batch.remark(.init(fault: fault.reason, findings: [
                Finding("IMPORT-NO-IMAGE", arguments: ["name": picture.path, "reason": fault.reason]),
            ]))
        }
    }

    private func append(_ text: String?, as kind: ForeignBatch.Kind = .text, to batch: inout ForeignBatch) {
        if let text, !text.isEmpty { batch.append(kind, text) } else { batch.appendEmpty() }
    }

    private static func text(_ time: CameraTime) -> String {
        let text = Timestamp.format(time.instant(in: .gmt))
        return time.offset == nil ? String(text.dropLast()) : text
    }

    private struct Trouble: Error { let reason: String }

    private func facts(of picture: PictureFolder.Picture) -> Result<Facts, Trouble> {
        func trouble(_ reason: String) -> Result<Facts, Trouble> { .failure(Trouble(reason: reason)) }
        guard let file = try? FileBytes(folder + "/" + picture.path) else { return trouble("it cannot be opened") }
        guard file.count > 0 else { return trouble("it is empty") }
        guard file.count <= PhotoFolder.maximumBytes else {
            return trouble("it has \(file.count) bytes, and \(PhotoFolder.maximumBytes) are the most")
        }
        let photo = PhotoFile(bytes: file.read(at: 0, file.count))
        let kind = PictureFolder.kind(of: photo.bytes, picture.path)
        guard let kind else { return trouble("it is no picture") }
        guard let type = Self.types[kind] else { return trouble("it is \(kind)") }
        var facts = Facts(type: type, sha256: photo.sha256)
        if kind == "JPEG" {
            guard let picture = photo.picture else { return trouble("no picture is in it") }
            (facts.size, facts.camera) = ((picture.width, picture.height), picture.camera)
        } else if kind == "PNG" {
            guard let width = photo.bytes.big(16, 4), let height = photo.bytes.big(20, 4), width > 0, height > 0 else {
                return trouble("no picture is in it")
            }
            facts.size = (Int(width), Int(height))
        }
        return .success(facts)
    }
}
