// The three things a game can say, as they go over the wire.
#nullable enable

namespace Kit
{
    internal enum KitOperation
    {
        Recording,
        Monitor,
        Social,
    }

    internal static class KitOperations
    {
        internal static bool IsEnabled(this KitOperation operation, KitConfig config)
        {
            switch (operation)
            {
                case KitOperation.Recording: return config.EnableRecording;
                case KitOperation.Monitor: return config.EnableMonitor;
                default: return config.EnableSocial;
            }
        }

        internal static string Path(this KitOperation operation)
        {
            switch (operation)
            {
                case KitOperation.Recording: return KitConstants.RecordingPath;
                case KitOperation.Monitor: return KitConstants.MonitorPath;
                default: return KitConstants.SocialPath;
            }
        }
    }
}
