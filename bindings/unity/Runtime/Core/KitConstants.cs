// What the binding shares with the launcher: addresses, paths and limits.
#nullable enable

namespace Kit
{
    internal static class KitConstants
    {
        internal const string DefaultUrl = "http://127.0.0.1:9876";
        internal const string RecordingPath = "/api/recording/trigger";
        internal const string MonitorPath = "/api/monitor/report";
        internal const string SocialPath = "/api/social/trigger";
        internal const int TimeoutMs = 5000;
        internal const int PendingMax = 64;
        internal const int QuitFlushMs = 250;
        internal const int BuildCharsMax = 100;
        internal const int UncaughtPerSecondMax = 10;
    }
}
