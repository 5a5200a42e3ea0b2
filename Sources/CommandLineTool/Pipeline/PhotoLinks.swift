import Exporting
import Model

/// What the workbooks of a package link to: its photos, which lie beside the workbooks' folder.
struct PhotoLinks {
    private let entity: String
    private let field: String
    private let files: LinkedFiles

    /// The photos of the records that are selected; nil where the package has none.
    init?(to packed: PackedPhotos?, without absent: AbsentPhotos) {
        guard let packed else { return nil }
        (entity, field) = (packed.entity, packed.name)
        files = LinkedFiles(folder: "../\(BundleWriter.photoFolder)", absent: absent.names)
    }

    /// The sheet with links in the column of the photos' names, where it is a sheet of photos.
    func added(to sheet: Sheet) -> Sheet {
        guard sheet.entity == entity, let column = sheet.columns.firstIndex(where: { $0.name == field }) else { return sheet }
        var linked = sheet
        linked.columns[column].kind = .link
        linked.columns[column].files = files
        return linked
    }
}
