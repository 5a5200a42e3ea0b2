package import Photos

/// Photos as pages show them: each is opened once and scaled down once.
package final class PhotoShelf {
    /// Scales a photo down and turns it upright; nil when it cannot be decoded.
    package typealias Shrinking = (_ jpeg: [UInt8], _ longestSide: Int) -> ReportPicture?

    private let folder: PhotoFolder
    private let shrink: Shrinking
    private let longestSide: Int
    private let words: ReportWords

    /// - Parameter longestSide: of the small pictures, in pixels.
    package init(folder: PhotoFolder, longestSide: Int, words: ReportWords, shrink: @escaping Shrinking) {
        self.folder = folder
        self.longestSide = longestSide
        self.words = words
        self.shrink = shrink
    }

    /// The photo at a stored path, or the reason why there is none.
    func picture(at path: String?) -> (picture: ReportPicture?, missing: String?) {
        guard let path else { return (nil, words("photo_missing")) }
        switch folder.read(path) {
        case .missing: return (nil, words("photo_missing"))
        case .unreadable: return (nil, words("photo_unreadable"))
        case .read(let file):
            guard let picture = shrink(file.bytes, longestSide) else { return (nil, words("photo_unreadable")) }
            return (picture, nil)
        }
    }
}
