internal import ArgumentParser

/// An option that names what a command writes.
enum OutputOption {
    /// Refuses `-`, by which others mean standard output: what is printed there is the answer. A name that is not UTF-8
    /// is refused too, for the file would get another one.
    static func validate(_ path: String?, _ option: String) throws {
        guard let path else { return }
        guard path != "-" else {
            throw ValidationError("\(option) does not write to standard output; for a file with this name, write ./-")
        }
        _ = try ArgumentText.exact(path)
    }
}
