import Foundation
import Testing

/// A terminal without a screen.
enum Pseudoterminal {
    /// The end at which a person would sit, and the path of the end for programs.
    static func open() throws -> (descriptor: Int32, path: String) {
        #if canImport(Darwin)
            let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
            let isOpen = descriptor >= 0 && grantpt(descriptor) == 0 && unlockpt(descriptor) == 0
            let path = ptsname(descriptor)
        #else
            // Glibc has them, but its headers do not declare them to Swift.
            typealias Call = @convention(c) (Int32) -> Int32
            let descriptor = try function("posix_openpt", as: Call.self)(O_RDWR | O_NOCTTY)
            let isOpen =
                try descriptor >= 0 && function("grantpt", as: Call.self)(descriptor) == 0
                && function("unlockpt", as: Call.self)(descriptor) == 0
            let path = try function("ptsname", as: (@convention(c) (Int32) -> UnsafeMutablePointer<CChar>?).self)(
                descriptor)
        #endif
        try #require(isOpen)
        return (descriptor, String(cString: try #require(path)))
    }

    #if !canImport(Darwin)
        private static func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
            unsafeBitCast(try #require(dlsym(nil, name)), to: type)
        }
    #endif
}
