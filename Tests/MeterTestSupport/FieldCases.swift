internal import Foundation

/// Stores of field cases, each with what must come of it. They are not part of the package: they lie in `shared/cases`
/// beside it. Tests work on copies, and build the same with fixtures of their own.
package enum FieldCases {
    /// The path of the folder, nil where there is none.
    package static let folder = sharedFolder("cases")

    package static var isAvailable: Bool { folder != nil }

    /// What a test that needs them says where they are not.
    package static let reason = "there are no shared/cases beside the project"

    /// The clock of the cases.
    package static let now = "2026-11-21T10:15:00Z"

    /// A copy of a case's files, gone with the value.
    package struct Copy: Sendable {
        private let home: TemporaryFolder
        /// The path of a file or a folder of the case.
        package func path(_ name: String = "CKModel.sqlite") -> String { "\(home.path)/case/\(name)" }

        /// - Parameter name: of the case's folder.
        package init(of name: String) throws {
            guard let folder else { throw FixtureError(description: reason) }
            home = try TemporaryFolder()
            // The files there can only be read; so could a copy of them.
            let source = "\(folder)/\(name)"
            for case let path as String in FileManager.default.enumerator(atPath: source) ?? .init() {
                guard let bytes = FileManager.default.contents(atPath: "\(source)/\(path)") else { continue }
                let target = URL(fileURLWithPath: self.path(path))
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try bytes.write(to: target)
            }
        }
    }
}
