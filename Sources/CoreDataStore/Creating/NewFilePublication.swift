internal import Foundation

/// A new file that a command makes beside others, and how it is made. All are there in the end, or none.
package struct NewFilePublication {
    private let path: String
    private let make: (String) throws(StoreError) -> Void

    package init(_ path: String, _ make: @escaping (String) throws(StoreError) -> Void) {
        self.path = path
        self.make = make
    }

    /// Gives a finished file its name, which nobody may have taken meanwhile.
    package static func moving(_ finished: String, to output: String) -> NewFilePublication {
        NewFilePublication(output) { output throws(StoreError) in
            try FileOutput.create(output) { _ in }
            do throws(StoreError) {
                try FileReplacement.takeAccess(of: output, for: finished)
                try FileReplacement.move(finished, to: output)
            } catch {
                unlink(output)
                throw error
            }
        }
    }

    /// Makes the files one after the other; where one fails, those before it are removed.
    /// - Throws: `StoreError`, what the first one that fails throws.
    package static func publish(_ files: [NewFilePublication]) throws(StoreError) {
        var made: [String] = []
        do throws(StoreError) {
            for file in files {
                try file.make(file.path)
                made.append(file.path)
            }
        } catch {
            for path in made { unlink(path) }
            throw error
        }
    }
}

extension PrivateFolder {
    /// In the folder of a file that is to be made, so that the finished file only has to be renamed.
    /// - Throws: `StoreError` with the system's reason.
    package static func beside(_ output: String) throws(StoreError) -> PrivateFolder {
        try StoreError.at(output) { try PrivateFolder(.beside(output)) }
    }
}
