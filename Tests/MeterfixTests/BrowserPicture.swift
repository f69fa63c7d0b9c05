import CoreDataStore
import Testing

/// The pixels of a PNG as the browser makes one: 8 bits a channel, no interlace (https://www.w3.org/TR/png-3/).
struct BrowserPicture {
    let width: Int
    let height: Int
    /// Red, green and blue of each pixel, as 0xRRGGBB.
    let pixels: [UInt32]

    init(_ png: [UInt8]) throws {
        func number(at offset: Int) -> Int { png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        try #require(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) && png.count > 33)
        width = number(at: 16)
        height = number(at: 20)
        // Depth, kind of colour (2: RGB, 6: RGB and alpha), compression, filter, interlace.
        let kind = Array(png[24..<29])
        try #require(kind == [8, 2, 0, 0, 0] || kind == [8, 6, 0, 0, 0])
        var stream: [UInt8] = []
        var offset = 8
        while offset + 12 <= png.count {
            let count = number(at: offset)
            let name = png[offset + 4..<offset + 8]
            if name.elementsEqual("IDAT".utf8) { stream += png[offset + 8..<offset + 8 + count] }
            offset += 12 + count
        }
        // zlib's header and checksum are around the deflated bytes.
        let channels = kind[1] == 2 ? 3 : 4
        let lines = try Array(stream.dropFirst(2).dropLast(4)).inflated(limit: height * (width * channels + 1))
        pixels = Self.pixels(of: lines, width: width * channels, channels: channels)
    }

    /// - Parameter width: of a line, in bytes; before each line is one that says how it is filtered.
    private static func pixels(of lines: [UInt8], width: Int, channels: Int) -> [UInt32] {
        var above = [UInt8](repeating: 0, count: width)
        var pixels: [UInt32] = []
        for start in stride(from: 0, to: lines.count - width, by: width + 1) {
            var line = [UInt8](repeating: 0, count: width)
            for index in 0..<width {
                let left = index < channels ? 0 : Int(line[index - channels])
                let corner = index < channels ? 0 : Int(above[index - channels])
                let top = Int(above[index])
                let guess =
                    switch lines[start] {
                    case 1: left
                    case 2: top
                    case 3: (left + top) / 2
                    case 4: nearest(left, top, corner)
                    default: 0
                    }
                line[index] = lines[start + 1 + index] &+ UInt8(guess)
            }
            for index in stride(from: 0, to: width, by: channels) {
                pixels.append(UInt32(line[index]) << 16 | UInt32(line[index + 1]) << 8 | UInt32(line[index + 2]))
            }
            above = line
        }
        return pixels
    }

    /// The predictor of Paeth.
    private static func nearest(_ left: Int, _ top: Int, _ corner: Int) -> Int {
        let guess = left + top - corner
        let (toLeft, toTop, toCorner) = (abs(guess - left), abs(guess - top), abs(guess - corner))
        return toLeft <= toTop && toLeft <= toCorner ? left : toTop <= toCorner ? top : corner
    }

    /// The colour of most pixels, and the part of all, from 0 to 1, that has another.
    var paper: (color: UInt32, inked: Double) {
        var counts: [UInt32: Int] = [:]
        for pixel in pixels { counts[pixel, default: 0] += 1 }
        guard let most = counts.max(by: { $0.value < $1.value }) else { return (0, 0) }
        return (most.key, 1 - Double(most.value) / Double(pixels.count))
    }
}
