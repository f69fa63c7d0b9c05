extension MACAddress {
    /// The addresses that a slip of the pen makes of this one: one hex digit is another, or two that stand side by side
    /// have changed places.
    package var slips: [MACAddress] {
        let digits = (0..<12).map { bits >> UInt64(4 * $0) & 0xF }
        var slips: [MACAddress] = []
        for place in 0..<12 {
            let shift = UInt64(4 * place)
            for digit in 0..<UInt64(16) where digit != digits[place] {
                slips.append(MACAddress(bits: bits ^ (digits[place] ^ digit) << shift))
            }
            if place > 0, digits[place] != digits[place - 1] {
                let difference = digits[place] ^ digits[place - 1]
                slips.append(MACAddress(bits: bits ^ (difference << shift | difference << (shift - 4))))
            }
        }
        return slips
    }
}
