package import Blocks

/// Drawings as pictures, for renderers that cannot draw. Sizes are points (1/72 inch); a picture has as many pixels as it takes to be sharp
/// on paper, and the ratio of the size it was asked for. Equal input gives equal bytes.
package protocol DrawingPictures {
    func picture(of strip: StripContent, width: Double, height: Double) throws -> ReportPicture
    func picture(of profile: ProfileContent, width: Double, height: Double) throws -> ReportPicture
    func picture(of sketch: SketchContent, width: Double, height: Double) throws -> ReportPicture
    func picture(of plan: PlanContent, width: Double, height: Double) throws -> ReportPicture
    /// The strip of a log whose layers are as high as a sheet's rows, one after the other without gaps: as many heights as layers.
    func logStrip(of log: LogContent, rowHeights: [Double], width: Double) throws -> ReportPicture
    /// A sample of a soil symbol's pattern, for a legend.
    func symbol(_ symbol: String, width: Double, height: Double) throws -> ReportPicture
}
