internal import Answer
internal import CoreDataStore

/// A page on the disk.
enum PageFile {
    /// Writes a page to a new file, whole or not at all.
    /// - Returns: its bytes.
    /// - Throws: `StoreError`.
    static func write(_ blocks: [Block], title: String, to path: String) throws(StoreError) -> Int {
        var size = 0
        try FileOutput.create(path) { file throws(StoreError) in
            var buffer = OutputBuffer()
            var problem: StoreError?
            func write(_ bytes: [UInt8]) {
                guard problem == nil else { return }
                size += bytes.count
                do throws(StoreError) {
                    try Interruption.check(path)
                    try file.write(bytes[...])
                } catch {
                    problem = error
                }
            }
            buffer.append(Medium.html.beginning(title: title), to: write)
            Medium.html.write(blocks) { buffer.append($0, to: write) }
            buffer.append(Medium.html.ending, to: write)
            buffer.flush(to: write)
            if let problem { throw problem }
        }
        return size
    }
}
