import Testing
@testable import Exporting

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
