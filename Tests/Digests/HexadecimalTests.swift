import Digests
import Testing

@Suite struct HexadecimalTests {
    @Test func bytesHaveTwoDigitsEach() {
        #expect([0, 9, 10, 15, 16, 171, 255].hexadecimal == "00090a0f10abff")
        #expect([UInt8]().hexadecimal == "")
    }

    @Test func numbersHaveAtLeastSoManyDigits() {
        #expect(UInt8(10).hexadecimal(4) == "000a" && UInt32(0x12345).hexadecimal(4) == "12345" && UInt64(0).hexadecimal() == "0")
        #expect(UInt64.max.hexadecimal(8) == "ffffffffffffffff")
    }
}
