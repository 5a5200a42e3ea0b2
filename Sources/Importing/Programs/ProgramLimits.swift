/// Limits for a program that we start; it is killed when it exceeds them.
package struct ProgramLimits: Sendable, Hashable {
    package var processorSeconds = 60
    /// Bytes of address space.
    package var memory = 1 << 30
    /// Bytes of a file that it may write; 0 for a program that only prints.
    package var fileBytes = 0
    /// Bytes of output.
    package var output = 4 << 30
    /// Seconds without output.
    package var silentSeconds = 60

    package init() {}
}
