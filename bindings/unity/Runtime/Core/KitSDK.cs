// The entry of the binding: settings, the three services, and the way of a call from the game to the transport.
#nullable enable
using System;

namespace Kit
{
    /// <summary>
    /// The game's side of Kit: tells the launcher on this machine about moments, errors and news of the game.
    /// </summary>
    /// <remarks>
    /// Everything here may be used from any thread, returns at once and never throws, whatever it is given and whether or not
    /// a launcher runs. Each call of an operation is one request, given up after 5 seconds, never repeated and never kept on
    /// disk. At most 64 requests wait at a time; the newest beyond that are dropped. A game that ends with events pending
    /// is held up by at most 250 ms.
    /// </remarks>
    public static partial class KitSDK
    {
        private static readonly object Gate = new object();
        private static volatile KitConfig? _config;
        private static volatile LauncherAddress? _address;
        private static volatile PendingRequests _pending = new PendingRequests();

        /// <summary>
        /// The settings in use: the defaults until <c>Initialize</c>, then a copy of what it was given; never null.
        /// </summary>
        /// <remarks>
        /// Once initialized, its members may be changed while the game runs, for instance by an options screen: the next call
        /// of an operation follows them. Before, a change is of no effect.
        /// </remarks>
        public static KitConfig Config => _config ?? new KitConfig();

        /// <summary>Moments worth a clip.</summary>
        public static RecordingService Recording { get; } = new RecordingService();

        /// <summary>Errors and diagnostics.</summary>
        public static MonitorService Monitor { get; } = new MonitorService();

        /// <summary>Moments worth telling.</summary>
        public static SocialService Social { get; } = new SocialService();

        /// <summary>
        /// True once <c>Initialize</c> was called, or an operation before it: that starts with the defaults.
        /// </summary>
        public static bool IsInitialized => _config != null;

        /// <summary>
        /// Starts with these settings. May be called again at any time: the new settings hold from the next call on.
        /// </summary>
        /// <param name="config">The settings, of which a copy is taken; null for the defaults.</param>
        public static void Initialize(KitConfig? config)
        {
            lock (Gate)
            {
                Use(config ?? new KitConfig());
                IsInitializedByGame = true;
            }
        }

        /// <summary>What carries the requests. Set it before the first call; the default one needs threads and sockets.</summary>
        internal static IKitTransport Transport { get; set; } = new HttpTransport();

        /// <summary>False as long as only an operation called too early has started the binding.</summary>
        internal static bool IsInitializedByGame { get; private set; }

        /// <summary>Set it to false where nothing can be waited for because there are no threads.</summary>
        internal static bool WaitsAtQuit { get; set; } = true;

        /// <summary>
        /// Has the engine tell <see cref="UncaughtErrors"/> of errors. Runs at each start of a game that asked for it, and at
        /// no other. Null until the engine's part of the binding sets it.
        /// </summary>
        internal static Action? WatchForUncaught { get; set; }

        /// <summary>Back to "not initialized", for engines whose static members outlive a play. What is pending still leaves.</summary>
        internal static void Reset()
        {
            lock (Gate)
            {
                _config = null;
                _address = null;
                IsInitializedByGame = false;
                _pending = new PendingRequests();
                UncaughtErrors.Reset();
            }
        }

        /// <summary>
        /// Holds a quitting game up until what is pending has left; at most 250 ms in total, not at all when nothing is
        /// pending.
        /// </summary>
        internal static void WaitAtQuit()
        {
            if (WaitsAtQuit) _pending.WaitAtQuit();
        }

        /// <summary>
        /// Sends, or does nothing: without text, switched off, without a usable address, too many pending. True if it sends.
        /// </summary>
        internal static bool Send(KitOperation operation, string? text, string stackTrace)
        {
            try
            {
                KitConfig config = _config ?? InitializeWithDefaults();
                if (string.IsNullOrEmpty(text) || !operation.IsEnabled(config)) return false;
                if (AddressOf(config).Root is not string root) return false;
                string build = operation == KitOperation.Monitor ? KitBuild.InUse(config.Build) : "";
                PendingRequests pending = _pending;
                return pending.TryAdd() && Hand(new KitRequest(pending, root, operation, text!, stackTrace, build));
            }
            catch (Exception)
            {
                // Whatever could go wrong here, for want of memory say, is not the game's trouble.
                return false;
            }
        }

        private static bool Hand(KitRequest request)
        {
            try
            {
                Transport.Send(request);
                return true;
            }
            catch (Exception)
            {
                request.Settle();
                return false;
            }
        }

        private static KitConfig InitializeWithDefaults()
        {
            lock (Gate)
            {
                // Another thread may have been first, and with settings of its own.
                return _config ?? Use(new KitConfig());
            }
        }

        /// <summary>Sets what depends on the engine, where no other part of the binding does before the start.</summary>
        static partial void MeetEngine();

        private static KitConfig Use(KitConfig given)
        {
            MeetEngine();
            KitConfig copy = given.Copy();
            _address = new LauncherAddress(copy.LauncherUrl);
            _config = copy;
            QuitHooks.Attach();
            if (copy.ReportUncaughtErrors) Watch();
            (Transport as HttpTransport)?.WarmUp();
            return copy;
        }

        private static void Watch()
        {
            try
            {
                WatchForUncaught?.Invoke();
            }
            catch (Exception)
            {
                // An engine may allow it on its main thread only.
            }
        }

        private static LauncherAddress AddressOf(KitConfig config)
        {
            string? given = config.LauncherUrl;
            LauncherAddress? known = _address;
            if (known != null && known.Given == given) return known;
            return _address = new LauncherAddress(given);
        }
    }
}
