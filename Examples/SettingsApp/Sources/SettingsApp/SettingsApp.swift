import CoreDataStore
import Foundation
import MeterStore

/// Two processes on one store, as an app and its widget are: one writes, the other sees it.
///
///     SettingsApp STORE          writes, and starts the other one
///     SettingsApp STORE watch    prints what changes, until a meter is disconnected
@main
enum SettingsApp {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let path = arguments.first, arguments.count <= 2 else {
            print("usage: SettingsApp STORE [watch]")
            exit(64)
        }
        do {
            if arguments.last == "watch" {
                try await Watcher(path: path).run()
            } else {
                try Writer(path: path).run()
            }
        } catch let error as StoreError {
            // What is wrong, where, and what to do about it.
            print("\(error.path): \(error.message)", error.hint.map { "(\($0))" } ?? "")
            exit(error.kind == .notFound ? 66 : 1)
        } catch {
            print("\(error)")
            exit(1)
        }
    }
}
