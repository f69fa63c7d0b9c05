internal import Foundation

/// What a process needs from the system, checked by taking it and giving it back.
package enum Resources {
    /// Files that may be open at a time. A change of a store with a WAL has twelve open, and each thread that reads in
    /// parallel four; the rest is for the system's libraries.
    private static let descriptors = 24
    /// Bytes of address space beyond what the program has at the start: stacks, caches, and the records of a small
    /// store.
    private static let memory = 192 << 20

    /// Why this process cannot work here; nil if it can. If the system's libraries lack what they need, they do not
    /// fail but hang, or end the program.
    package static var shortage: StoreError? {
        if let (error, missing) = failure(ofOpening: descriptors) {
            // Of a limit the user needs the whole number: some of them are open already.
            let limit = error.code == EMFILE ? sysconf(Int32(_SC_OPEN_MAX)) : 0
            let need = limit > 0 ? "a limit of \(limit + missing) instead of \(limit)" : "\(missing) more"
            return StoreError(
                .inputOutput, at: "limits", "too few files may be open at once; meterfix needs \(need)",
                hint: error.storeError(at: "").hint)
        }
        return shortage(ofMemory: memory)
    }

    /// Why there is too little memory; nil if there is enough. Swift cannot go on without memory that it asks for, so whether
    /// it is there is known before.
    package static func shortage(ofMemory bytes: Int) -> StoreError? {
        guard bytes > 0 else { return nil }
        // These pages cannot be accessed, so they cost only address space.
        let start = mmap(nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard start != MAP_FAILED else {
            return StoreError(
                .inputOutput, at: "limits", "not enough memory; meterfix needs at least \(bytes >> 20) MB more",
                hint: FileError(code: ENOMEM).storeError(at: "").hint)
        }
        munmap(start, bytes)
        return nil
    }

    /// How many stores can be read at a time with the number of files that may be open: each is read by two threads,
    /// perhaps from a private copy.
    package static var concurrentStores: Int { concurrentStores(openFiles: sysconf(Int32(_SC_OPEN_MAX))) }

    /// - Parameter limit: how many files may be open, as `sysconf` says it: negative where there is no limit. Even then a
    ///   Mac allows a process only `OPEN_MAX` (sys/syslimits.h there), which are 10,240.
    package static func concurrentStores(openFiles limit: Int) -> Int {
        max(1, ((limit < 0 ? 10_240 : limit) - descriptors) / 8)
    }

    /// What to do about a limit on the size of files, which SQLite reports as any other failed write; nil without one.
    static var hintOnLargestFile: String? {
        var limit = rlimit()
        #if canImport(Darwin)
            let isKnown = getrlimit(RLIMIT_FSIZE, &limit) == 0
        #else
            let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
        #endif
        guard isKnown, limit.rlim_cur < 1 << 62 else { return nil }
        return
            "files may have no more than \(limit.rlim_cur) bytes here: raise the limit (`ulimit -f`), and run it again"
    }

    /// Whether a file could not be opened because too many are open. Some may have been closed since the failure.
    static var missingDescriptors: FileError? { failure(ofOpening: 4)?.error }

    /// Nil if so many files more can be opened; otherwise why not, and how many cannot.
    private static func failure(ofOpening count: Int) -> (error: FileError, missing: Int)? {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        opened.reserveCapacity(count)
        while opened.count < count {
            let descriptor =
                opened.first.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                let code = errno
                guard code == EMFILE || code == ENFILE else { return nil }
                return (FileError(code: code), count - opened.count)
            }
            opened.append(descriptor)
        }
        return nil
    }
}
