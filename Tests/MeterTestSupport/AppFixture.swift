internal import CoreDataStore

/// The files of an app that was never built: bytes as linkers, codesign and ZIP programs lay them out.
package enum AppFixture {
    /// How an executable is laid out.
    package struct Layout: Sendable {
        package var isWide = true
        package var isBigEndian = false
        /// Whether it is the first of two slices of a fat file, and whether their places have 64 bits.
        package var isFat = false
        package var isFatWide = false
        package var libraries = ["/System/Library/Frameworks/CloudKit.framework/CloudKit"]
        /// `LC_LOAD_DYLIB`; others load weakly, for instance.
        package var loadCommand: UInt32 = 0xC
        /// The slot of the blob with the entitlements.
        package var slot: UInt32 = 5

        package init() {}
    }

    /// An executable with a code signature.
    /// - Parameter entitlements: a property list; nil for an unsigned one.
    package static func executable(_ entitlements: [UInt8]?, _ layout: Layout = Layout()) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { bytes(value, count: 4, isBigEndian: layout.isBigEndian) }
        var commands = layout.libraries.map { library in
            let name = Array(library.utf8) + [UInt8](repeating: 0, count: 8 - library.utf8.count % 8)
            return number(Int(layout.loadCommand)) + number(24 + name.count) + number(24) + number(0) + number(0)
                + number(0) + name
        }
        let headerSize = layout.isWide ? 32 : 28
        let start = headerSize + commands.reduce(0) { $0 + $1.count } + 16
        let signature = entitlements.map { Self.signature($0, slot: Int(layout.slot)) } ?? []
        if entitlements != nil {
            commands.append(number(0x1D) + number(16) + number(start) + number(signature.count))
        } else {
            commands.append(number(0x1B) + number(16) + number(0) + number(0))
        }
        let header =
            number(layout.isWide ? 0xFEED_FACF : 0xFEED_FACE) + number(0x0100_000C) + number(0) + number(2)
            + number(commands.count) + number(commands.reduce(0) { $0 + $1.count }) + number(0)
            + (layout.isWide ? number(0) : [])
        let thin = header + commands.flatMap(\.self) + signature
        guard layout.isFat else { return thin }
        let place = 0x100
        func slice(_ place: Int, _ size: Int) -> [UInt8] {
            let count = layout.isFatWide ? 8 : 4
            return big(0x0100_000C) + big(0) + bytes(place, count: count, isBigEndian: true)
                + bytes(size, count: count, isBigEndian: true) + big(14) + (layout.isFatWide ? big(0) : [])
        }
        let head =
            big(layout.isFatWide ? 0xCAFE_BABF : 0xCAFE_BABE) + big(2) + slice(place, thin.count)
            + slice(place + thin.count, 4)
        return head + [UInt8](repeating: 0, count: place - head.count) + thin + [0, 0, 0, 0]
    }

    /// A super blob: an empty code directory, and the entitlements.
    private static func signature(_ entitlements: [UInt8], slot: Int) -> [UInt8] {
        let directory = big(0xFADE_0C02) + big(8)
        let list = big(0xFADE_7171) + big(8 + entitlements.count) + entitlements
        let index = big(0) + big(28) + big(slot) + big(28 + directory.count)
        return big(0xFADE_0CC0) + big(12 + index.count + directory.count + list.count) + big(2) + index + directory
            + list
    }

    /// A profile: a signed message around a property list.
    /// - Parameter size: bytes of the pieces into which the list is cut, with lengths that are not known beforehand (BER);
    ///   0 for one piece whose length is (DER).
    package static func profile(_ list: [UInt8], pieces size: Int = 0) -> [UInt8] {
        func octets(_ bytes: [UInt8]) -> [UInt8] {
            let length: [UInt8] =
                switch bytes.count {
                case ..<0x80: [UInt8(bytes.count)]
                case ..<0x1_0000: [0x82] + Self.bytes(bytes.count, count: 2, isBigEndian: true)
                default: [0x83] + Self.bytes(bytes.count, count: 3, isBigEndian: true)
                }
            return [0x04] + length + bytes
        }
        let front: [UInt8] = [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x80]
        let end = [UInt8](repeating: 0, count: 4) + [0xA0, 0x82, 0x00, 0x40] + [UInt8](repeating: 0xFF, count: 64)
        guard size > 0 else { return front + octets(list) + end }
        let pieces = stride(from: 0, to: list.count, by: size).flatMap { octets(Array(list[$0...].prefix(size))) }
        return front + [0x24, 0x80] + pieces + [0, 0] + end
    }

    /// A ZIP archive, whose files are compressed where that is asked for.
    /// - Parameters:
    ///   - method: what the directory says of how they are; nil for the truth.
    ///   - mode: of the files, as Unix has it.
    package static func archive(
        _ files: [(name: String, bytes: [UInt8])], isDeflated: Bool = true, method: Int? = nil, flags: Int = 0,
        mode: Int = 0, comment: String = ""
    ) throws -> [UInt8] {
        func small(_ value: Int) -> [UInt8] { bytes(value, count: 2, isBigEndian: false) }
        func large(_ value: Int) -> [UInt8] { bytes(value, count: 4, isBigEndian: false) }
        var archive: [UInt8] = []
        var directory: [UInt8] = []
        for (name, bytes) in files {
            let packed = isDeflated ? try bytes.deflated() : bytes
            let sizes = large(Int(bytes.checksum)) + large(packed.count) + large(bytes.count) + small(name.utf8.count)
            let common = small(20) + small(flags) + small(method ?? (isDeflated ? 8 : 0)) + small(0) + small(0) + sizes
            let extra: [UInt8] = [0x55, 0x54, 0x01, 0x00, 0x00]
            directory += large(0x0201_4B50) + small(20) + common + small(0) + small(0) + small(0) + small(0)
            directory += large(mode << 16)
            directory += large(archive.count) + Array(name.utf8)
            archive += large(0x0403_4B50) + common + small(extra.count) + Array(name.utf8) + extra + packed
        }
        let count = small(files.count) + small(files.count)
        let end = large(0x0605_4B50) + small(0) + small(0) + count + large(directory.count) + large(archive.count)
        return archive + directory + end + small(comment.utf8.count) + Array(comment.utf8)
    }

    private static func big(_ value: Int) -> [UInt8] { bytes(value, count: 4, isBigEndian: true) }

    private static func bytes(_ value: Int, count: Int, isBigEndian: Bool) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isBigEndian ? little.reversed() : little
    }
}
