internal import CoreDataStore
internal import JSON

/// Cuts what `log show --style ndjson` or `--style json` writes into objects, one after the other, so that neither a file
/// nor an array has to be in memory whole.
struct LogObjects {
    /// Bytes of one object; a longer one is none that the system writes.
    private static let longest = 1 << 22

    private(set) var lines = 0
    private var text: [UInt8] = []
    /// Where the object begins, and where the next byte to look at is.
    private var start: Int?
    private var place = 0
    private var depth = 0
    private var isInString = false

    /// - Parameter chunk: nil at the end of the log.
    mutating func add(_ chunk: [UInt8]?, _ found: (LogMessage) -> Void) {
        guard let chunk else {
            // A last line without an end.
            if let last = text.last, last != 0x0A { lines += 1 }
            return
        }
        text += chunk
        let text = text
        text.withUnsafeBufferPointer { bytes in
            while place < bytes.count {
                switch bytes[place] {
                case 0x0A:
                    lines += 1
                    // No string has a line end in it: after a broken object, the next line is read as if it began anew.
                    if isInString { (isInString, depth, start) = (false, 0, nil) }
                case UInt8(ascii: "\\") where isInString: place += 1
                case UInt8(ascii: "\""): isInString = !isInString && depth > 0
                case UInt8(ascii: "{") where !isInString:
                    if depth == 0 { start = place }
                    depth += 1
                case UInt8(ascii: "}") where !isInString && depth > 0:
                    depth -= 1
                    if depth == 0, let begin = start.take() {
                        Self.read(UnsafeBufferPointer(rebasing: bytes[begin...place]), found)
                    }
                default: break
                }
                place += 1
            }
        }
        var kept = start ?? place
        if place - kept > Self.longest { (isInString, depth, start, kept) = (false, 0, nil, place) }
        // An escape may have led one byte beyond.
        kept = min(kept, text.count)
        self.text.removeSubrange(..<kept)
        place -= kept
        start = start.map { $0 - kept }
    }

    private static func read(_ object: UnsafeBufferPointer<UInt8>, _ found: (LogMessage) -> Void) {
        guard LogWord.ofMirror.firstWord(in: object, from: 0) != nil,
            let value = try? JSONTree(parsing: Array(object), limits: nil).top.value,
            let text = value["eventMessage"]?.string
        else { return }
        var joined = LogJoinedLines()
        Array(text.utf8).withUnsafeBufferPointer { joined.add($0[...]) }
        let time = Array((value["timestamp"]?.string ?? "").utf8).withUnsafeBufferPointer { stamp in
            var stamp = stamp[...]
            return LogMoment(takenFrom: &stamp)
        }
        joined.bytes.withUnsafeBufferPointer { bytes in
            found(
                LogMessage(
                    bytes[...], time: time,
                    process: value["processImagePath"]?.string?.split(separator: "/").last.map(String.init),
                    isOfCoreData: value["subsystem"]?.string == "com.apple.coredata"))
        }
    }
}
