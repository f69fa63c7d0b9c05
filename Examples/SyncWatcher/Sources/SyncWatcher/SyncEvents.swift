#if canImport(CoreData)
    import CoreData

    /// Says what it means when the app's own sync fails.
    final class SyncEvents {
        private var observer: (any NSObjectProtocol)?

        /// - Parameter container: the app's; events of other containers are not looked at.
        init(of container: NSPersistentCloudKitContainer, say: @escaping @Sendable (String) -> Void) {
            observer = NotificationCenter.default.addObserver(
                forName: NSPersistentCloudKitContainer.eventChangedNotification, object: container, queue: nil
            ) { notification in
                let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
                guard let event = notification.userInfo?[key] as? NSPersistentCloudKitContainer.Event,
                    event.endDate != nil, let error = event.error
                else { return }
                say(explanation(of: error as NSError))
            }
        }

        deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
    }
#endif
