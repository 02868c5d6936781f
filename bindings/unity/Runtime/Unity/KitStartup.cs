// Ties Kit to the engine's life: forgets the last play, starts with the project's settings, lets events leave at the end.
using UnityEngine;

namespace Kit
{
    internal static class KitStartup
    {
        /// <summary>
        /// Runs first in every play. An editor that does not reload the domain between plays keeps statics: without this
        /// the second play would begin with the settings, and the handlers, of the first.
        /// </summary>
        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.SubsystemRegistration)]
        internal static void Forget()
        {
            Application.quitting -= OnQuitting;
            Application.logMessageReceivedThreaded -= OnLog;
            KitSDK.Reset();
            KitSDK.WatchForUncaught = WatchLog;
            // Here, because the engine answers only the main thread.
            KitBuild.OfEngine = Application.version;
#if UNITY_WEBGL && !UNITY_EDITOR
            KitSDK.Transport = new WebTransport();
            // A page has one thread: waiting there would only stop what is to leave.
            KitSDK.WaitsAtQuit = false;
#endif
        }

        /// <summary>Runs before the first Awake, so that no script of a scene is ahead of it.</summary>
        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.BeforeSceneLoad)]
        internal static void Begin()
        {
            Application.quitting -= OnQuitting;
            Application.quitting += OnQuitting;
            // A game that initialized Kit itself, in a method of its own that runs this early, keeps what it chose. A mere
            // call that early does not choose.
            if (!KitSDK.IsInitializedByGame) KitSDK.Initialize(KitSettings.LoadConfig());
        }

        /// <summary>The engine catches what scripts throw, on any thread, and logs it.</summary>
        private static void WatchLog()
        {
            Application.logMessageReceivedThreaded -= OnLog;
            Application.logMessageReceivedThreaded += OnLog;
        }

        private static void OnLog(string condition, string stackTrace, LogType type)
        {
            if (type == LogType.Exception) UncaughtErrors.Report(condition, stackTrace);
        }

        private static void OnQuitting()
        {
            // An editor logs exceptions of its own after the play.
            Application.logMessageReceivedThreaded -= OnLog;
            KitSDK.WaitAtQuit();
        }
    }
}
