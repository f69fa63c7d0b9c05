package import Foundation

extension Thread {
    /// Runs `body` on a new thread. Foundation's own way does not report that no thread could be started.
    /// - Parameter stackSize: bytes. The default on macOS is 512 KiB, too little for the depth of nested objects that
    ///   Foundation accepts.
    /// - Returns: false if no thread could be started; then `body` is not run.
    package static func begin(stackSize: Int = 8 << 20, _ body: @escaping @Sendable () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return false }
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(attributes, stackSize)
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, attributes, { Work.run($0) }, work.toOpaque())
        #else
            var thread: pthread_t = 0
            let code = pthread_create(&thread, attributes, { Work.run($0!) }, work.toOpaque())
        #endif
        guard code == 0 else {
            work.release()
            return false
        }
        return true
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
    }
}
