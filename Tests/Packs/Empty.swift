import Testing
@testable import Packs

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
