/// The types of Foundation, Dispatch, os, CryptoKit and Swift's own libraries that a source file may see beside ours: those
/// that Swift 6.3 has on Linux, as `swift symbolgraph-extract` lists them, and those that only Apple's platforms have, from
/// Apple's documentation. Names with the prefixes NS and CF are left out, for none of ours has them.
enum AppleNames {
    static let all = Set(
        """
        AES Actor AdditiveArithmetic AffineTransform AlignmentOptions AlternationBuilder Anchor AnyActor
        AnyBidirectionalCollection AnyClass AnyCollection AnyHashable AnyIndex AnyIterator AnyKeyPath AnyObject
        AnyRandomAccessCollection AnyRegexOutput AnySequence Array ArrayLiteralConvertible ArraySlice
        AsyncCompactMapSequence AsyncDropFirstSequence AsyncDropWhileSequence AsyncFilterSequence AsyncFlatMapSequence
        AsyncIteratorProtocol AsyncMapSequence AsyncPrefixSequence AsyncPrefixWhileSequence AsyncSequence AsyncStream
        AsyncThrowingCompactMapSequence AsyncThrowingDropWhileSequence AsyncThrowingFilterSequence
        AsyncThrowingFlatMapSequence AsyncThrowingMapSequence AsyncThrowingPrefixWhileSequence AsyncThrowingStream
        Atomic AtomicLazyReference AtomicLoadOrdering AtomicOptionalRepresentable AtomicRepresentable
        AtomicStoreOrdering AtomicUpdateOrdering AttributeContainer AttributeDynamicLookup AttributeScope
        AttributeScopeCodableConfiguration AttributeScopes AttributedString AttributedStringAttributeMutation
        AttributedStringKey AttributedStringProtocol AttributedSubstring BidirectionalCollection BidirectionalIndexable
        BidirectionalSlice BinaryFloatingPoint BinaryInteger BitwiseCopyable BlockOperation Bool
        BooleanLiteralConvertible BooleanLiteralType Bundle ByteCountFormatStyle ByteCountFormatter CBool CChar CChar16
        CChar32 CChar8 CDouble CGFloat CGPoint CGRect CGRectEdge CGSize CInt CLong CLongDouble CLongLong CShort
        CSignedChar CUnsignedChar CUnsignedInt CUnsignedLong CUnsignedLongLong CUnsignedShort CVaListPointer CVarArg
        CWideChar CachedURLResponse Calendar CancellationError Capture CaseIterable ChaChaPoly Character CharacterClass
        CharacterSet CheckedContinuation ChoiceOf Clock ClosedRange ClosedRangeIndex CocoaError Codable
        CodableAttributedStringKey CodableConfiguration CodableWithConfiguration CodingKey CodingKeyRepresentable
        CodingUserInfoKey Collection CollectionDifference CollectionOfOne CommandLine Comparable ComparableComparator
        Comparator ComparisonResult ConcurrentValue ContiguousArray ContiguousBytes ContinuousClock Copyable
        CountableClosedRange CountablePartialRangeFrom CountableRange CryptoKitASN1Error CryptoKitError
        CryptoKitMetaError CurrencyFormatStyleConfiguration Curve25519 CustomConsumingRegexComponent
        CustomDebugStringConvertible CustomLeafReflectable CustomNSError CustomPlaygroundDisplayConvertible
        CustomPlaygroundQuickLookable CustomReflectable CustomStringConvertible Data DataProtocol Date DateComponents
        DateFormatter DateInterval DateIntervalFormatter Decimal Decodable DecodableAttributedStringKey
        DecodableWithConfiguration Decoder DecodingConfigurationProviding DecodingError DefaultBidirectionalIndices
        DefaultIndices DefaultRandomAccessIndices DefaultStringInterpolation DescriptiveNumberFormatConfiguration
        Dictionary DictionaryIndex DictionaryIterator DictionaryLiteral DictionaryLiteralConvertible
        DiffieHellmanKeyAgreement Digest Dimension DiscardingTaskGroup DiscontiguousAttributedSubstring
        DiscontiguousSlice DiscreteFormatStyle DispatchData DispatchDataIterator DispatchGroup DispatchIO DispatchObject
        DispatchPredicate DispatchQoS DispatchQueue DispatchSemaphore DispatchSource DispatchSourceHandler
        DispatchSourceProtocol DispatchSourceRead DispatchSourceSignal DispatchSourceTimer DispatchSourceUserDataAdd
        DispatchSourceUserDataOr DispatchSourceUserDataReplace DispatchSourceWrite DispatchSpecificKey DispatchTime
        DispatchTimeInterval DispatchTimeoutResult DispatchWallTime DispatchWorkItem DispatchWorkItemFlags
        DistributedActor DistributedActorCodingError DistributedActorSystem DistributedActorSystemError
        DistributedNotificationCenter DistributedTargetInvocationDecoder DistributedTargetInvocationEncoder
        DistributedTargetInvocationResultHandler Double DropFirstSequence DropWhileSequence Duration DurationProtocol
        EmptyCollection EmptyIterator Encodable EncodableAttributedStringKey EncodableWithConfiguration Encoder
        EncodingConfigurationProviding EncodingError EnergyFormatter EnumeratedIterator EnumeratedSequence Equatable
        Error Escapable ExecuteDistributedTargetError Executor ExecutorJob ExpressibleByArrayLiteral
        ExpressibleByBooleanLiteral ExpressibleByDictionaryLiteral ExpressibleByExtendedGraphemeClusterLiteral
        ExpressibleByFloatLiteral ExpressibleByIntegerLiteral ExpressibleByNilLiteral ExpressibleByStringInterpolation
        ExpressibleByStringLiteral ExpressibleByUnicodeScalarLiteral Expression
        ExtendedGraphemeClusterLiteralConvertible ExtendedGraphemeClusterType FileAttributeKey FileAttributeType
        FileHandle FileManager FileManagerDelegate FileProtectionType FileWrapper FixedWidthInteger
        FlattenBidirectionalCollection FlattenBidirectionalCollectionIndex FlattenCollection FlattenCollectionIndex
        FlattenSequence Float Float16 Float32 Float64 Float80 FloatLiteralConvertible FloatLiteralType FloatingPoint
        FloatingPointClassification FloatingPointFormatStyle FloatingPointParseStrategy FloatingPointRoundingRule
        FloatingPointSign FormatStyle FormatStyleCapitalizationContext Formatter GlobalActor HKDF HMAC HPKE
        HPKEDiffieHellmanPrivateKey HPKEDiffieHellmanPublicKey HPKEKEMPrivateKey HPKEPublicKeySerialization HTTPCookie
        HTTPCookiePropertyKey HTTPCookieStorage HTTPURLResponse HashFunction Hashable HashedAuthenticationCode Hasher
        Host ISO8601DateFormatter Identifiable IndexPath IndexSet Indexable IndexableBase IndexingIterator
        InflectionConcept InflectionRule InlineArray InlinePresentationIntent InputStream Insecure InstantProtocol Int
        Int128 Int16 Int32 Int64 Int8 IntegerFormatStyle IntegerLiteralConvertible IntegerLiteralType
        IntegerParseStrategy InvocationOperation IteratorOverOne IteratorProtocol IteratorSequence JSONDecoder
        JSONEncoder JSONSerialization Job JobPriority JoinedIterator JoinedSequence KDF KEM KEMPrivateKey KEMPublicKey
        KeyPath KeyPathComparator KeyValuePairs KeyedDecodingContainer KeyedDecodingContainerProtocol
        KeyedEncodingContainer KeyedEncodingContainerProtocol LazyBidirectionalCollection LazyCollection
        LazyCollectionProtocol LazyDropWhileBidirectionalCollection LazyDropWhileCollection LazyDropWhileIndex
        LazyDropWhileIterator LazyDropWhileSequence LazyFilterBidirectionalCollection LazyFilterCollection
        LazyFilterIndex LazyFilterIterator LazyFilterSequence LazyMapBidirectionalCollection LazyMapCollection
        LazyMapIterator LazyMapRandomAccessCollection LazyMapSequence LazyPrefixWhileBidirectionalCollection
        LazyPrefixWhileCollection LazyPrefixWhileIndex LazyPrefixWhileIterator LazyPrefixWhileSequence
        LazyRandomAccessCollection LazySequence LazySequenceProtocol LengthFormatter ListFormatStyle Local
        LocalTestingActorAddress LocalTestingActorID LocalTestingDistributedActorSystem
        LocalTestingDistributedActorSystemError LocalTestingInvocationDecoder LocalTestingInvocationEncoder
        LocalTestingInvocationResultHandler Locale LocalizedError LocalizedStringResource Logger Lookahead
        LosslessStringConvertible MLDSA65 MLDSA87 MLKEM1024 MLKEM768 MachError MachPort MainActor ManagedBuffer
        ManagedBufferPointer MarkdownDecodableAttributedStringKey MassFormatter Measurement MemoryLayout
        MessageAuthenticationCode MessagePort Mirror MirrorPath Morphology MutableBidirectionalSlice MutableCollection
        MutableDataProtocol MutableIndexable MutableRandomAccessSlice MutableRangeReplaceableBidirectionalSlice
        MutableRangeReplaceableRandomAccessSlice MutableRangeReplaceableSlice MutableRawSpan MutableSlice MutableSpan
        Mutex NegativeLookahead NetService NetServiceBrowser NetServiceDelegate Never NilLiteralConvertible Notification
        NotificationCenter NotificationQueue NumberFormatStyleConfiguration NumberFormatter Numeric
        OSAllocatedUnfairLock OSLog OSLogBoolFormat OSLogEntry OSLogEnumerator OSLogFloatFormatting
        OSLogIntegerFormatting OSLogInterpolation OSLogMessage OSLogPointerFormat OSLogPosition OSLogPrivacy OSLogStore
        OSLogStringAlignment OSLogType OSSignpostID OSSignpostIntervalState OSSignpostType OSSignposter ObjCBool
        ObjectIdentifier Observable ObservationRegistrar Observations One OneOrMore OpaquePointer OperatingSystemVersion
        Operation OperationQueue OptionSet Optional Optionally OutputRawSpan OutputSpan OutputStream P256 P384 P521
        POSIXError ParseStrategy ParseableFormatStyle PartialAsyncTask PartialKeyPath PartialRangeFrom
        PartialRangeThrough PartialRangeUpTo PersonNameComponents PersonNameComponentsFormatter Pipe PlaygroundQuickLook
        Port PortDelegate PortMessage Predicate PredicateBindings PredicateError PredicateExpression
        PredicateExpressions PrefixSequence PresentationIntent Process ProcessInfo Progress ProgressKind ProgressManager
        ProgressReporter ProgressReporting ProgressUserInfoKey PropertyListDecoder PropertyListEncoder
        PropertyListSerialization QualityOfService RandomAccessCollection RandomAccessIndexable RandomAccessSlice
        RandomNumberGenerator Range RangeExpression RangeReplaceableBidirectionalSlice RangeReplaceableCollection
        RangeReplaceableIndexable RangeReplaceableRandomAccessSlice RangeReplaceableSlice RangeSet RawRepresentable
        RawSpan RecoverableError Reference ReferenceConvertible ReferenceWritableKeyPath Regex RegexComponent
        RegexComponentBuilder RegexRepetitionBehavior RegexSemanticLevel RegexWordBoundaryKind RemoteCallArgument
        RemoteCallTarget Repeat Repeated Result ReversedCollection ReversedIndex ReversedRandomAccessCollection RunLoop
        SHA256 SHA256Digest SHA384 SHA384Digest SHA3_256 SHA3_256Digest SHA3_384 SHA3_384Digest SHA3_512 SHA3_512Digest
        SHA512 SHA512Digest SIMD SIMD16 SIMD2 SIMD3 SIMD32 SIMD4 SIMD64 SIMD8 SIMDMask SIMDScalar SIMDStorage Scanner
        ScopedAttributeContainer SecureEnclave Selector Sendable SendableMetatype Sequence SerialExecutor Set SetAlgebra
        SetIndex SetIterator SharedSecret SignedInteger SignedNumeric SignpostMetadata SingleValueDecodingContainer
        SingleValueEncodingContainer Slice SocketNativeHandle SocketPort SortComparator SortDescriptor SortOrder Span
        StandardPredicateExpression StaticBigInt StaticString Stream StreamDelegate StreamNetworkServiceTypeValue
        StreamSOCKSProxyConfiguration StreamSOCKSProxyVersion StreamSocketSecurityLevel StrideThrough
        StrideThroughIterator StrideTo StrideToIterator Strideable String StringInterpolationConvertible
        StringInterpolationProtocol StringLiteralConvertible StringLiteralType StringProtocol StringStyle
        StringTransform Subprogress Substring SuspendingClock SymmetricKey SymmetricKeySize SystemRandomNumberGenerator
        Task TaskExecutor TaskGroup TaskLocal TaskPriority TermOfAddress TextOutputStream TextOutputStreamable Thread
        ThrowingDiscardingTaskGroup ThrowingTaskGroup TimeInterval TimeZone Timer TryCapture UInt UInt128 UInt16 UInt32
        UInt64 UInt8 URL URLAuthenticationChallenge URLAuthenticationChallengeSender URLCache URLComponents
        URLCredential URLCredentialStorage URLError URLFileResourceType URLProtectionSpace URLProtocol URLProtocolClient
        URLQueryItem URLRequest URLResourceKey URLResourceValues URLResponse URLSession URLSessionConfiguration
        URLSessionDataDelegate URLSessionDataTask URLSessionDelegate URLSessionDownloadDelegate URLSessionDownloadTask
        URLSessionStreamDelegate URLSessionStreamTask URLSessionTask URLSessionTaskDelegate URLSessionTaskMetrics
        URLSessionTaskTransactionMetrics URLSessionUploadTask URLSessionWebSocketDelegate URLSessionWebSocketTask UTF16
        UTF32 UTF8 UTF8Span UUID UnboundedRange UnboundedRange_ UndoManager UnfoldFirstSequence UnfoldSequence Unicode
        UnicodeCodec UnicodeDecodingResult UnicodeScalar UnicodeScalarLiteralConvertible UnicodeScalarType Unit
        UnitAcceleration UnitAngle UnitArea UnitConcentrationMass UnitConverter UnitConverterLinear UnitDispersion
        UnitDuration UnitElectricCharge UnitElectricCurrent UnitElectricPotentialDifference UnitElectricResistance
        UnitEnergy UnitFrequency UnitFuelEfficiency UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPower
        UnitPressure UnitSpeed UnitTemperature UnitVolume UnkeyedDecodingContainer UnkeyedEncodingContainer Unmanaged
        UnownedJob UnownedSerialExecutor UnownedTaskExecutor UnsafeBufferPointer UnsafeBufferPointerIterator
        UnsafeConcurrentValue UnsafeContinuation UnsafeCurrentTask UnsafeMutableBufferPointer UnsafeMutablePointer
        UnsafeMutableRawBufferPointer UnsafeMutableRawBufferPointerIterator UnsafeMutableRawPointer UnsafePointer
        UnsafeRawBufferPointer UnsafeRawBufferPointerIterator UnsafeRawPointer UnsafeSendable UnsafeThrowingContinuation
        UnsignedInteger UserDefaults ValueTransformer Void WordPair WritableKeyPath XMLDTD XMLDTDNode XMLDocument
        XMLElement XMLNode XMLParser XMLParserDelegate XWingMLKEM768X25519 ZeroOrMore Zip2Iterator Zip2Sequence
        tls_ciphersuite_t tls_protocol_version_t unichar uuid_string_t uuid_t
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
