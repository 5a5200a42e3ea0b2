import Exporting
import Model
import Replica

/// What the workbooks of a package link to: its photos, which lie beside the workbooks' folder.
struct PhotoLinks {
    private let entity: String
    private let field: String
    private let files: LinkedFiles

    /// The photos of the records that are selected; nil where the package has none.
    init?(of entity: String?, named field: String?, in reading: ReadSession, base: String) throws {
        guard let entity, let field else { return nil }
        let photos = PhotoReader(try reading.photos(of: entity, named: field), base: base)
        var absent: Set<String> = []
        while let photo = try photos.next() {
            if try !photo.isThere() { absent.insert(photo.name) }
        }
        (self.entity, self.field, files) = (entity, field, LinkedFiles(folder: "../\(BundleWriter.photoFolder)", absent: absent))
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
