import Foundation

/// A way to run a program so that it obeys the modes of files, which the superuser does not.
enum Unprivileged {
    /// Words in front of a command: none for everybody but the superuser. Nil where the superuser cannot give up the right
    /// to read and write everything; on Linux `setpriv` can, and the program remains the owner of what the tests make.
    static let words: [String]? = {
        guard geteuid() == 0 else { return [] }
        let words = [
            "/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all", "--",
        ]
        guard let folder = try? ScratchFolder(), (try? folder.write("secret", to: "file")) != nil else { return nil }
        chmod(folder.path + "/file", 0)
        func runs(_ command: [String]) -> Bool {
            (try? MeterfixProcess.start(words: words + command, in: folder.path).answer().code) == 0
        }
        return runs(["/bin/cat", "/dev/null"]) && !runs(["/bin/cat", "file"]) ? words : nil
    }()
}

extension ScratchFolder {
    /// Runs `meterfix` without the superuser's rights.
    func unprivilegedMeterfix(_ arguments: String...) throws -> MeterfixProcess.Answer {
        try unprivilegedMeterfix(arguments: arguments)
    }

    func unprivilegedMeterfix(arguments: [String]) throws -> MeterfixProcess.Answer {
        try MeterfixProcess.start(
            words: (Unprivileged.words ?? []) + [MeterfixProcess.program] + arguments, in: path
        ).answer()
    }
}
