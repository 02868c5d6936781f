// The settings of a project: one asset in a Resources folder, edited in Project Settings > Kit.
using UnityEngine;

namespace Kit
{
    /// <summary>
    /// The settings Kit starts with. The asset is called <c>KitSettings</c> and lies in any <c>Resources</c> folder, usually
    /// <c>Assets/Resources</c>; <b>Project Settings &gt; Kit</b> makes and edits it. Without it the defaults hold.
    /// Changes show at the next start of the game. In a running game see <see cref="KitSDK.Config"/>.
    /// </summary>
    [CreateAssetMenu(menuName = "Kit/Settings", fileName = ResourceName)]
    public sealed class KitSettings : ScriptableObject
    {
        /// <summary>The path in a Resources folder under which the asset is looked for.</summary>
        internal const string ResourceName = "KitSettings";

        /// <summary>Stands for the version in the Player settings.</summary>
        internal const string VersionPlaceholder = "{version}";

        [SerializeField]
        [Tooltip("Where the Kit launcher listens. Leave it as it is unless you changed the launcher's port.")]
        internal string launcherUrl = new KitConfig().LauncherUrl;

        [SerializeField]
        [Tooltip("Send recording triggers (KitSDK.Recording).")]
        internal bool enableRecording = true;

        [SerializeField]
        [Tooltip("Send error reports (KitSDK.Monitor).")]
        internal bool enableMonitor = true;

        [SerializeField]
        [Tooltip("Send social triggers (KitSDK.Social).")]
        internal bool enableSocial = true;

        [SerializeField]
        [Tooltip("The build that error reports name. {version} is the version in the Player settings. Empty for none.")]
        internal string build = VersionPlaceholder;

        [SerializeField]
        [Tooltip("Also report exceptions that nobody caught: all that the engine logs as exceptions. Needs Enable Monitor.")]
        internal bool reportUncaughtErrors;

        /// <summary>
        /// A configuration with these settings, for <see cref="KitSDK.Initialize(KitConfig)"/>: a copy, so that a game may
        /// change one setting and start with the result.
        /// </summary>
        /// <returns>A new object each time; never null.</returns>
        public KitConfig ToConfig()
        {
            return new KitConfig
            {
                LauncherUrl = launcherUrl,
                EnableRecording = enableRecording,
                EnableMonitor = enableMonitor,
                EnableSocial = enableSocial,
                Build = (build ?? "").Replace(VersionPlaceholder, KitBuild.OfEngine ?? ""),
                ReportUncaughtErrors = reportUncaughtErrors,
            };
        }

        /// <summary>The project's settings, or the defaults where it has no asset. Main thread only.</summary>
        internal static KitConfig LoadConfig()
        {
            KitSettings settings = Resources.Load<KitSettings>(ResourceName);
            // Not "??": the engine's null is more than the language's.
            return settings == null ? new KitConfig() : settings.ToConfig();
        }
    }
}
