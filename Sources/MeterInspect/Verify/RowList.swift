/// The numbers of rows about which a check has something to say: one byte for each as long as they follow one another.
struct RowList: Sendable {
    /// The differences from one to the next, seven bits to a byte, the last byte of each below 128. (LEB128, of the
    /// difference with its sign in the lowest bit.)
    private var differences: [UInt8] = []
    private var last: Int64 = 0
    private var isAscending = true
    private(set) var count = 0

    mutating func append(_ row: Int64) {
        if count > 0, row <= last { isAscending = false }
        let difference = row &- last
        var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
        while rest > 0x7F {
            differences.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        differences.append(UInt8(rest))
        last = row
        count += 1
    }

    /// Hands the rows out in ascending order, some at a time, as long as `body` wants more.
    /// - Parameter size: how many at a time.
    func forEachPart(of size: Int, while body: ([Int64]) -> Bool) {
        guard isAscending else {
            var start = 0
            let rows = self.rows
            while start < rows.count, body(Array(rows[start..<min(start + size, rows.count)])) { start += size }
            return
        }
        var part: [Int64] = []
        var isWanted = true
        forEachAsAppended { row in
            part.append(row)
            guard part.count == size else { return true }
            isWanted = body(part)
            part.removeAll(keepingCapacity: true)
            return isWanted
        }
        if isWanted, !part.isEmpty { _ = body(part) }
    }

    /// All of them, in ascending order.
    var rows: [Int64] {
        var rows: [Int64] = []
        rows.reserveCapacity(count)
        forEachAsAppended {
            rows.append($0)
            return true
        }
        return isAscending ? rows : rows.sorted()
    }

    private func forEachAsAppended(while body: (Int64) -> Bool) {
        var row: Int64 = 0
        var (rest, shift): (UInt64, UInt64) = (0, 0)
        for byte in differences {
            rest |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            row &+= Int64(bitPattern: rest >> 1) ^ -Int64(bitPattern: rest & 1)
            (rest, shift) = (0, 0)
            guard body(row) else { return }
        }
    }
}
