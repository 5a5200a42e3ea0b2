import Blocks
import Canvas
import Model

extension ReportFailure {
    /// Runs code that draws, and throws its errors as `ReportFailure`. An error of the receiver of
    /// the file's bytes is thrown as it is.
    static func translating<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as CanvasFailure {
            switch failure {
            case .noFonts: throw noFonts
            case .pictureTooLarge(let width, let height): throw pictureTooLarge(width: width, height: height)
            case .writing(let error): throw error
            default: throw library(name: "cairo", reason: failure.description)
            }
        }
    }
}
