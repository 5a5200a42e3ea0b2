import Testing
@testable import Importing

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
