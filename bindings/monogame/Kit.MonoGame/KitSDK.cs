// What MonoGame's KitSDK has beyond the core: the start without settings, the version of the game, uncaught errors.
#nullable enable
using System;
using System.Reflection;

namespace Kit
{
    public static partial class KitSDK
    {
        /// <summary>Starts with the defaults. May be called again at any time.</summary>
        public static void Initialize()
        {
            Initialize(null);
        }

        static partial void MeetEngine()
        {
            KitBuild.OfEngine ??= VersionOf(Assembly.GetEntryAssembly());
            WatchForUncaught ??= UncaughtHooks.Attach;
        }

        /// <summary>The version in the game's project file, without the commit that the SDK adds; empty where there is none.</summary>
        internal static string VersionOf(Assembly? game)
        {
            try
            {
                string? version = game?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
                return (version ?? "").Split('+')[0];
            }
            catch (Exception)
            {
                // An assembly whose attributes cannot be read. Reports name no build then.
                return "";
            }
        }
    }
}
