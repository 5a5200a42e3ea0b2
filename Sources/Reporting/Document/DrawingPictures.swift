package import Blocks

/// Draws content as pictures, for renderers that cannot draw. Sizes are in points (1/72 inch). A
/// picture has the ratio of the size asked for, and enough pixels to be sharp on paper. Equal input
/// gives equal bytes.
package protocol DrawingPictures {
    func picture(of strip: StripContent, width: Double, height: Double) throws -> ReportPicture
    func picture(of profile: ProfileContent, width: Double, height: Double) throws -> ReportPicture
    func picture(of sketch: SketchContent, width: Double, height: Double) throws -> ReportPicture
    func picture(of plot: PlotContent, width: Double, height: Double) throws -> ReportPicture
    func picture(of plan: PlanContent, width: Double, height: Double) throws -> ReportPicture
    /// What a reader of a plan of this size would miss.
    func notes(of plan: PlanContent, width: Double, height: Double) throws -> [String]
    /// The strip of a log whose layers are as high as the rows of a sheet, without gaps. There are
    /// as many row heights as layers.
    func logStrip(of log: LogContent, rowHeights: [Double], width: Double) throws -> ReportPicture
    /// A sample of a soil symbol's pattern, for a legend.
    func symbol(_ symbol: String, width: Double, height: Double) throws -> ReportPicture
}
