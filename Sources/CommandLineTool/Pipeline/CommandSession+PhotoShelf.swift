import Blocks
import Canvas
import Photos
import Reporting

extension CommandSession {
    /// Photos as pages show them: 640 pixels are 175 dots per inch on half a page, and half of what
    /// the apps keep (1280), a scale at which the decoder is as fast as at any.
    func photoShelf(_ words: ReportWords) -> PhotoShelf {
        PhotoShelf(folder: PhotoFolder(beside: replicaPath), longestSide: 640, words: words) { jpeg, side in
            let orientation = JPEGPicture(jpeg)?.camera.orientation ?? 1
            guard let small = try? Thumbnail.make(jpeg: jpeg, longestSide: side, orientation: orientation) else { return nil }
            return ReportPicture(bytes: small.bytes, isPNG: false, width: small.width, height: small.height)
        }
    }
}
