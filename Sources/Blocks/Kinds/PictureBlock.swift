import Foundation
import Model

/// A picture from the report's folder.
struct PictureBlock: Block {
    static let name = "picture"
    static let keys: [BlockKey] = [.required("file", .file, "A PNG or JPEG beside the template."), .height]

    private let file: String
    private let height: Double

    init?(_ template: PackNode) {
        guard let file = template.text("file") else { return nil }
        self.file = file
        height = template.height ?? 30
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> PictureContent? {
        let path = context.pack.directory.appendingPathComponent("reports/\(context.definition.name)/\(file)").path
        guard let data = FileManager.default.contents(atPath: path), let picture = ReportPicture(file: [UInt8](data)) else {
            throw ReportFailure.missingPicture(path: path)
        }
        return PictureContent(picture: picture, millimetres: height)
    }
}

package struct PictureContent: BlockContent {
    package var picture: ReportPicture
    package var millimetres: Double
}
