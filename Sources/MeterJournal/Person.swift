internal import Foundation
package import JSON

/// Who ran meterfix, for the backup's journal: `ana@mac`, or `Ana Pop (ana@mac)`.
package struct Person: Hashable, Sendable, CustomStringConvertible {
    package let user: String
    package let host: String
    /// What they call themselves; nil where they did not say.
    package var name: String?

    package var description: String { name.map { "\($0) (\(user)@\(host))" } ?? "\(user)@\(host)" }

    /// By the system's own names. Nil if it does not say them.
    package static var current: Person? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        // What it finds points into the buffer.
        let user = buffer.withUnsafeMutableBufferPointer { buffer -> String? in
            guard getpwuid_r(getuid(), &entry, buffer.baseAddress!, buffer.count, &found) == 0,
                let name = found?.pointee.pw_name
            else { return nil }
            return String(cString: name)
        }
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let host = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        return Person(user: user ?? "uid \(getuid())", host: host)
    }
}

extension Person: JSONConvertible {
    package var json: JSONValue {
        name.map { ["user": user, "host": host, "name": $0] } ?? ["user": user, "host": host]
    }

    /// Nil for what meterfix would not have written.
    package init?(_ json: JSONValue) {
        guard let user = json["user"]?.string, let host = json["host"]?.string else { return nil }
        self.init(user: user, host: host, name: json["name"]?.string)
    }
}
