internal import Answer
internal import MeterModel

/// What every answer about a store says first that came without its newest changes, or probably did.
enum MissingLogText {
    /// - Parameters:
    ///   - finding: of `wal-missing`.
    ///   - name: what the store is called where the answer is about several; nil where it is about one.
    static func blocks(_ finding: Finding?, of name: String? = nil) -> [Block] {
        let start = name.map { "\($0): " } ?? ""
        return finding.map { [.note(.warning, "\(start)\($0.message); \($0.cure)")] } ?? []
    }
}
