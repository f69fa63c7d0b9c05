import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

/// A store, what a change makes of it, and how many writes that takes: made once, for every kind of fault.
struct FaultyChange: Sendable {
    private let name: String
    private let change: @Sendable (TestStore) throws -> ChangeReport
    private let before: StoreText
    private let after: StoreText
    private let original: FolderSnapshot
    private let files: [(suffix: String, bytes: [UInt8])]
    let writes: Int

    init(
        _ name: String, _ fixture: StoreFixture, _ change: @escaping @Sendable (TestStore) throws -> ChangeReport
    ) throws {
        self.name = name
        self.change = change
        let store = try TestStore(fixture)
        before = try store.text()
        original = try store.snapshot()
        files = ["", "-wal"].compactMap { suffix in
            (try? FileBytes.read(store.path + suffix)).map { (suffix, $0) }
        }
        let done = try TestStore(fixture)
        writes = try FaultyDisk.run(.once, atWrite: .max, in: done.folder) { _ = try change(done) }
        after = try done.text()
        try #require(writes > 3 && before != after)
    }

    /// Makes the change with a fault at one write after the other: by default at those whose turn it is.
    func meet(_ fault: FaultyDisk.Fault, at places: [Int]? = nil) throws {
        let turn = try #require(FaultyDisk.Fault.allCases.firstIndex(of: fault))
        let places =
            places
            ?? (1...writes).filter {
                FaultyDiskTests.isThorough || $0 % FaultyDisk.Fault.allCases.count == turn
            }
        var outcomes: [Bool: Int] = [:]
        for failing in places { outcomes[try isDone(with: fault, at: failing), default: 0] += 1 }
        // Some faults come before the commit.
        #expect(outcomes[false, default: 0] > 0)
    }

    /// Whether the store is as after the change.
    private func isDone(with fault: FaultyDisk.Fault, at failing: Int) throws -> Bool {
        let comment: Comment = "\(name), \(fault) at write \(failing) of \(writes)"
        let store = try TestStore(copyOf: files)
        var error: StoreError?
        _ = FaultyDisk.run(fault, atWrite: failing, in: store.folder) {
            do { _ = try change(store) } catch let thrown as StoreError { error = thrown } catch {}
        }
        // The very bytes of before need no look.
        if try store.snapshot().hasSameBytes(as: original) {
            #expect(error != nil || fault == .dropped, comment)
            return false
        }
        let text = try store.text()
        #expect(text.isIntact, comment)
        #expect(text == before || text == after, comment)
        if let error {
            #expect([.inputOutput, .permissionDenied, .inUse].contains(error.kind), "\(comment): \(error)")
        } else if fault != .dropped {
            #expect(text == after, comment)
        }
        // The next run works, from either.
        _ = try FaultyDisk.run(.once, atWrite: .max, in: store.folder) {
            let next = try change(store)
            #expect(next.outcome == (text == after ? .unchanged : .applied), comment)
        }
        #expect(try store.text() == after, comment)
        return text == after
    }
}

extension TestStore {
    /// A store of these bytes, by suffix of the file's name.
    init(copyOf files: [(suffix: String, bytes: [UInt8])]) throws {
        try self.init()
        for file in files { try FileBytes.write(file.bytes, to: path + file.suffix) }
    }
}
