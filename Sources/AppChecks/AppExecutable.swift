internal import CoreDataStore
internal import Texts

/// What a Mach-O executable says of what an app may do: the libraries that it loads, and the entitlements in its code
/// signature. Of a fat file the first slice is read. The layouts are those of Apple's `mach-o/loader.h`, `mach-o/fat.h`
/// and, for the signature, `cs_blobs.h` of XNU.
struct AppExecutable: Sendable {
    let loadsCloudKit: Bool
    /// The property list of slot 5 of the signature; empty where the signature has none, nil for an unsigned executable.
    let entitlements: [UInt8]?

    /// Where a slice may begin, so that no sum of places is too large; bytes of all load commands and of entitlements; blobs
    /// of a signature.
    private static let limits = (file: 1 << 40, commands: 1 << 22, entitlements: 1 << 20, blobs: 256)

    /// - Parameters:
    ///   - read: reads at an offset so many bytes, or as many as there are.
    ///   - path: what errors call the file.
    /// - Throws: `StoreError`, `damaged` for what is no executable, or one that is cut short.
    init(_ read: (Int, Int) throws(StoreError) -> [UInt8], at path: String) throws(StoreError) {
        func damaged(_ reason: String) -> StoreError { StoreError(.damaged, at: path, reason) }
        var start = 0
        var header = try read(0, 32)
        // FAT_MAGIC and FAT_MAGIC_64; both are big-endian.
        if let magic = header.number(at: 0, bytes: 4, isBigEndian: true), [0xCAFE_BABE, 0xCAFE_BABF].contains(magic) {
            let size = magic == 0xCAFE_BABF ? 8 : 4
            guard header.number(at: 4, bytes: 4, isBigEndian: true) ?? 0 > 0,
                let offset = header.number(at: 16, bytes: size, isBigEndian: true), offset <= Self.limits.file
            else { throw damaged("a fat executable without slices") }
            start = offset
            header = try read(start, 32)
        }
        let magic = header.number(at: 0, bytes: 4)
        let (isBigEndian, isWide) = (
            magic == 0xCFFA_EDFE || magic == 0xCEFA_EDFE, magic == 0xFEED_FACF || magic == 0xCFFA_EDFE
        )
        guard isBigEndian || isWide || magic == 0xFEED_FACE else { throw damaged("not a Mach-O executable") }
        guard let size = header.number(at: 20, bytes: 4, isBigEndian: isBigEndian), size <= Self.limits.commands,
            case let commands = try read(start + (isWide ? 32 : 28), size), commands.count == size
        else { throw damaged("its load commands are cut short, or too large") }

        var loadsCloudKit = false
        var signature: Int?
        var place = 0
        while let command = commands.number(at: place, bytes: 4, isBigEndian: isBigEndian) {
            guard let length = commands.number(at: place + 4, bytes: 4, isBigEndian: isBigEndian), length >= 8,
                length <= commands.count - place
            else { throw damaged("a load command that does not end") }
            switch command {
            // LC_LOAD_DYLIB, and the same weak, reexported, lazy and upward.
            case 0xC, 0x8000_0018, 0x8000_001F, 0x20, 0x8000_0023:
                let name = String(decoding: commands[place..<place + length], as: UTF8.self)
                if name.utf8.contains("/CloudKit.framework/".utf8) { loadsCloudKit = true }
            // LC_CODE_SIGNATURE
            case 0x1D: signature = commands.number(at: place + 8, bytes: 4, isBigEndian: isBigEndian).map { start + $0 }
            default: break
            }
            place += length
        }
        self.loadsCloudKit = loadsCloudKit
        guard let signature else {
            entitlements = nil
            return
        }
        guard let blob = try Self.entitlements(read, at: signature) else {
            throw damaged("its code signature is damaged")
        }
        guard blob.count <= Self.limits.entitlements else {
            throw damaged("its entitlements have more than \(Self.limits.entitlements >> 20) MiB")
        }
        entitlements = try read(blob.lowerBound, blob.count)
        guard entitlements?.count == blob.count else { throw damaged("its code signature is cut short") }
    }

    /// Where the property list in slot 5 of the super blob at an offset lies; empty where there is none, nil for what is no
    /// signature. All numbers are big-endian.
    private static func entitlements(
        _ read: (Int, Int) throws(StoreError) -> [UInt8], at start: Int
    ) throws(StoreError) -> Range<Int>? {
        let index = try read(start, 12 + 8 * Self.limits.blobs)
        guard index.number(at: 0, bytes: 4, isBigEndian: true) == 0xFADE_0CC0,
            let count = index.number(at: 8, bytes: 4, isBigEndian: true), count <= Self.limits.blobs
        else { return nil }
        for place in stride(from: 12, to: 12 + 8 * count, by: 8) {
            guard let slot = index.number(at: place, bytes: 4, isBigEndian: true),
                let offset = index.number(at: place + 4, bytes: 4, isBigEndian: true)
            else { return nil }
            guard slot == 5 else { continue }
            let blob = try read(start + offset, 8)
            guard blob.number(at: 0, bytes: 4, isBigEndian: true) == 0xFADE_7171,
                let length = blob.number(at: 4, bytes: 4, isBigEndian: true), length >= 8
            else { return nil }
            return start + offset + 8..<start + offset + length
        }
        return start..<start
    }
}

/// What an app may turn on where it loads its store, by the names that an executable has to import for it. That it names
/// one does not say that it is right, and a part of the app that is loaded later may name it, too.
package enum StoreOption: String, Sendable, CaseIterable {
    case mergePolicy = "NSMergeByPropertyStoreTrumpMergePolicy"
    case historyTracking = "NSPersistentHistoryTrackingKey"
    case remoteChanges = "NSPersistentStoreRemoteChangeNotificationPostOptionKey"

    /// Those that an executable names.
    /// - Parameters:
    ///   - read: reads at an offset so many bytes, or as many as there are.
    ///   - limit: bytes that may be looked at, from which those are taken that were.
    /// - Throws: `StoreError` where it cannot be read, or the user asked to stop.
    static func named(
        in read: (Int, Int) throws(StoreError) -> [UInt8], limit: inout Int, at path: String
    ) throws(StoreError) -> Set<StoreOption> {
        let (step, overlap) = (1 << 20, 64)
        var found: Set<StoreOption> = []
        for offset in stride(from: 0, to: limit, by: step) {
            try Interruption.check(path)
            let bytes = try read(offset, step + overlap)
            limit -= min(step, bytes.count)
            for option in allCases where !found.contains(option) {
                if ByteSearch.firstIndex(of: option.rawValue, in: bytes) != nil { found.insert(option) }
            }
            guard bytes.count == step + overlap, found.count < allCases.count else { break }
        }
        return found
    }
}

extension ByteSearch {
    /// Where an ASCII text begins for the first time from `start` on; nil where it is not.
    static func firstIndex(of text: String, in bytes: [UInt8], from start: Int = 0) -> Int? {
        var text = text
        return text.withUTF8 { part in
            bytes.withUnsafeBufferPointer { firstIndex(of: part, in: $0, from: start) }
        }
    }
}
