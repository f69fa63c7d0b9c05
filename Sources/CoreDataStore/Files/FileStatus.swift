internal import Foundation
internal import Texts

/// What the file system says of a file, without opening it.
package struct FileStatus: Hashable, Sendable {
    package let isDirectory: Bool
    package let isRegular: Bool
    /// Bytes.
    package let size: Int
    /// How many names the file has, by hard links.
    package let links: Int
    /// Whether others than its owner may read it.
    package let isOpenToOthers: Bool
    private let device: UInt64
    /// Together with the device it is equal for two names of one file.
    private let fileNumber: UInt64
    /// Of the last change of the contents.
    private let modifiedSeconds: Int
    private let modifiedNanoseconds: Int

    /// Nil where there is no such file.
    /// - Throws: the `errno` of `stat` for everything but "no such file".
    package init?(path: String) throws(FileError) {
        var info = stat()
        guard stat(path, &info) == 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { return nil }
            throw FileError(code: code)
        }
        isDirectory = info.st_mode & S_IFMT == S_IFDIR
        isRegular = info.st_mode & S_IFMT == S_IFREG
        size = Int(info.st_size)
        links = Int(info.st_nlink)
        isOpenToOthers = info.st_mode & (S_IRGRP | S_IROTH) != 0
        device = UInt64(truncatingIfNeeded: info.st_dev)
        fileNumber = UInt64(truncatingIfNeeded: info.st_ino)
        #if canImport(Darwin)
            (modifiedSeconds, modifiedNanoseconds) = (info.st_mtimespec.tv_sec, info.st_mtimespec.tv_nsec)
        #else
            (modifiedSeconds, modifiedNanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
        #endif
    }

    /// The same of a path as a user gives it, which may be none that a file can have.
    /// - Throws: `StoreError` for everything but "no such file".
    package static func named(_ path: String) throws(StoreError) -> FileStatus? {
        try StoreError.at(path) { path.utf8.contains(0) ? nil : try FileStatus(path: path) }
    }

    /// Whether there is a symbolic link at `path`, wherever it leads.
    package static func isLink(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether both are the same file, under whatever names, and whatever was written to it.
    package func isSameFile(as other: FileStatus) -> Bool {
        device == other.device && fileNumber == other.fileNumber
    }
}

/// A failed call of the operating system.
package struct FileError: Error, Hashable, Sendable {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    package var message: String { String(cString: strerror(code)).lowercased() }

    /// Whether a path leads into the container of an app or a group of apps, which macOS protects from other programs:
    /// opening a file there fails with EPERM until the user allows it (described, not confirmed on a Mac).
    static func isInContainer(_ path: String) -> Bool {
        let path = FileReplacement.realPath(path) ?? path
        return path.contains("/Library/Containers/") || path.contains("/Library/Group Containers/")
    }

    package static let hintOnContainers =
        "allow the program you type in Full Disk Access (System Settings, Privacy & Security), or copy the store's files "
        + "with the Finder"

    package func storeError(at path: String) -> StoreError {
        switch code {
        case EPERM where Self.isInContainer(path):
            StoreError(
                .permissionDenied, at: path, "macOS keeps this program out of another app's container",
                hint: Self.hintOnContainers)
        case EACCES, EPERM:
            StoreError(.permissionDenied, at: path, "permission denied", hint: "check who owns the file and its folder")
        case EROFS:
            StoreError(.permissionDenied, at: path, "the file system is read-only", hint: "work on a copy of the store")
        case ENAMETOOLONG: StoreError(.notFound, at: path, "the path is too long")
        case ELOOP: StoreError(.notFound, at: path, "the path is a loop of symbolic links")
        case EFBIG:
            StoreError(.inputOutput, at: path, message, hint: Resources.hintOnLargestFile ?? "use another file system")
        case EEXIST: StoreError(.cannotCreate, at: path, "this file exists already", hint: "name a new file")
        case EMFILE:
            StoreError(
                .inputOutput, at: path, "too many files are open in this process",
                hint: "raise the limit, for example with `ulimit -n 256`")
        case ENFILE:
            StoreError(
                .inputOutput, at: path, "too many files are open on this computer",
                hint: "close other programs and run it again")
        case ENOMEM:
            StoreError(
                .inputOutput, at: path, "not enough memory", hint: "raise the limit (`ulimit -v`), or free some memory")
        case ENOSPC, EDQUOT:
            StoreError(.inputOutput, at: path, "no space left on the disk", hint: "free some space and run it again")
        case EINTR where Interruption.isRequested: Interruption.error(at: path)
        default: StoreError(.inputOutput, at: path, message)
        }
    }
}

/// What a file is that somebody took for a store, a dump or a model: the formats that supporters really receive, told by
/// the contents, whatever the file is called.
package struct FileKind: Equatable, Sendable {
    /// What it is, with its article: `a HEIC photo`.
    package let name: String
    /// What to do where a store was expected.
    let advice: String
    private let matches: @Sendable ([UInt8]) -> Bool

    /// Nil if the format is not recognized.
    /// - Parameter bytes: the first of the file, a hundred or more where it has so many.
    package init?(of bytes: [UInt8]) {
        guard let kind = Self.all.first(where: { $0.matches(bytes) }) else { return nil }
        self = kind
    }

    package static func == (one: FileKind, other: FileKind) -> Bool { one.name == other.name }

    /// Whether what is wanted may be in it.
    package var isArchive: Bool { [Self.unpack, Self.unzip].contains(advice) }

    /// Whether it is a picture or a document: a log in it cannot be read as text.
    package var isForLooking: Bool { (Self.photos + Self.others).contains(self) }

    package var isPicture: Bool { Self.photos.contains(self) }

    /// Whether it is the source of a mail, with all that is attached to it.
    package var isMail: Bool { self == Self.mails.last }

    /// What to do with what is no store, whatever it is.
    package static let askForStore = "ask for the app's store: CKModel.sqlite, and CKModel.sqlite-wal beside it"

    private static let all: [FileKind] = photos + others + archives + ofStores + mails + texts

    private static let photos = [
        FileKind("a JPEG picture", [0xFF, 0xD8, 0xFF]),
        FileKind("a PNG picture", [0x89, 0x50, 0x4E, 0x47]),
        FileKind("a GIF picture", Array("GIF8".utf8)),
        FileKind("a TIFF picture", [0x49, 0x49, 0x2A, 0x00]),
        FileKind("a TIFF picture", [0x4D, 0x4D, 0x00, 0x2A]),
        FileKind("a WebP picture") { $0.starts(with: "RIFF".utf8) && $0.dropFirst(8).starts(with: "WEBP".utf8) },
        // ISO base media files: the length of the first box, `ftyp`, and the brand.
        FileKind("a HEIC photo") { isMedia($0, ofBrands: ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1"]) },
        FileKind("an AVIF picture") { isMedia($0, ofBrands: ["avif", "avis"]) },
        FileKind("a video") { isMedia($0, ofBrands: nil) },
    ]

    private static let others = [
        FileKind("a PDF document", [0x25, 0x50, 0x44, 0x46]),
        FileKind("an RTF document", Array("{\\rtf".utf8)),
        FileKind("an alias, not the file itself", Array("book\0\0\0\0mark".utf8)),
        FileKind("an HTML page") { begins($0, with: ["<!doctype html", "<html"]) },
    ]

    private static let unpack = "unpack it into a new folder, and name that folder"

    private static let unzip = "\(unpack): unzip FILE.zip -d FOLDER"

    private static let archives = [
        FileKind("a ZIP archive", [0x50, 0x4B, 0x03, 0x04], unzip),
        FileKind("an empty ZIP archive", [0x50, 0x4B, 0x05, 0x06]),
        FileKind("a gzip archive", [0x1F, 0x8B], unpack),
        FileKind("a 7-Zip archive", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], unpack),
        FileKind("a RAR archive", Array("Rar!\u{1A}\u{7}".utf8), unpack),
        FileKind("an xz archive", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], unpack),
        FileKind("a bzip2 archive", Array("BZh".utf8), unpack),
        FileKind("an Apple archive", Array("AA01".utf8), unpack),
    ]

    private static let saveAttachment =
        "save what is attached to it: CKModel.sqlite, and CKModel.sqlite-wal beside it, or the archive with both"

    private static let mails = [
        // The container of Outlook's .msg, and of Office before 2007.
        FileKind(
            "an Outlook mail or an old Office document", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
            saveAttachment),
        FileKind("a mail", saveAttachment) { bytes in
            // Apple's .emlx begins with a line that says how long the mail is.
            let length = bytes.prefix { (0x30...0x39).contains($0) || $0 == 0x20 }
            let isNumbered = !length.isEmpty && bytes.dropFirst(length.count).first == 0x0A
            return begins(
                isNumbered ? Array(bytes.dropFirst(length.count)) : bytes,
                with: [
                    "return-path:", "delivered-to:", "received:", "mime-version:", "message-id:", "from: ",
                    "subject: ", "dkim-signature:",
                ])
        },
    ]

    private static let nameMainFile = "name the main file beside it, without the suffix"

    /// Files that lie beside a store. (https://www.sqlite.org/fileformat2.html, https://www.sqlite.org/walformat.html)
    private static let ofStores = [
        FileKind("the -wal file of a store", [0x37, 0x7F, 0x06, 0x82], nameMainFile),
        FileKind("the -wal file of a store", [0x37, 0x7F, 0x06, 0x83], nameMainFile),
        FileKind("the -shm file of a store", [0x18, 0xE2, 0x2D, 0x00], nameMainFile),
        FileKind("the -journal file of a store", [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], nameMainFile),
    ]

    private static let importNames = "if it has the old names, import it: meterfix import-kv FILE CKModel.sqlite"

    private static let texts = [
        FileKind("a binary property list", Array("bplist".utf8), importNames),
        FileKind("an XML file", Array("<?xml".utf8), importNames),
        FileKind("SQL statements", "ask for the store itself, CKModel.sqlite: SQL lacks what is not in tables") {
            begins($0, with: ["pragma ", "begin transaction", "create table", "insert into "])
        },
        FileKind("a JSON file", importNames) { begins($0, with: ["{", "["]) && isText($0) },
        FileKind("a text file in UTF-16", [0xFF, 0xFE]),
        FileKind("a text file in UTF-16", [0xFE, 0xFF]),
        FileKind("a text file", matches: isText),
    ]

    private init(
        _ name: String, _ advice: String = askForStore, matches: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.name = name
        self.advice = advice
        self.matches = matches
    }

    private init(_ name: String, _ signature: [UInt8], _ advice: String = askForStore) {
        self.init(name, advice) { $0.starts(with: signature) }
    }

    /// - Parameter brands: nil for any.
    private static func isMedia(_ bytes: [UInt8], ofBrands brands: Set<String>?) -> Bool {
        guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return false }
        return brands?.contains(String(decoding: bytes[8..<12], as: UTF8.self)) ?? true
    }

    /// - Parameter words: in lower case. White space before them and their letter case do not count.
    private static func begins(_ bytes: [UInt8], with words: [String]) -> Bool {
        let text = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return words.contains { word in
            text.prefix(word.utf8.count).elementsEqual(word.utf8) { byte, letter in
                ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == letter
            }
        }
    }

    /// Whether these are UTF-8 without control characters. The last character may be cut.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }) else {
            return false
        }
        return (0..<4).contains { cut in
            bytes.suffix(cut).allSatisfy { $0 >= 0x80 } && UTF8Check.firstInvalid(in: bytes.dropLast(cut)) == nil
        }
    }
}
