import Blocks
import Canvas
import Model

extension ReportFailure {
    /// Does what draws, and says what goes wrong there in the words of reports: an error of who takes the file as itself.
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
