/// What kind of sign a byte of ASCII is.
extension UInt8 {
    @inlinable package var isSpace: Bool { isBlank || isLineEnd }
    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }
    @inlinable package var isLineEnd: Bool { self == 0x0A || self == 0x0D }
    @inlinable package var isDigit: Bool { (0x30...0x39).contains(self) }
    @inlinable package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}
