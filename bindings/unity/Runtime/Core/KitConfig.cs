// The settings of the binding.
#nullable enable

namespace Kit
{
    /// <summary>
    /// Settings for <c>KitSDK.Initialize</c>. Whatever is not set keeps its default.
    /// </summary>
    /// <remarks>
    /// <c>Initialize</c> takes a copy, so the object passed to it may be reused. The settings in use are
    /// <see cref="KitSDK.Config"/>.
    /// </remarks>
    public sealed class KitConfig
    {
        /// <summary>
        /// Where the launcher listens; <c>http://127.0.0.1:9876</c> by default, and also when set to null. Blanks around it
        /// and slashes at its end do not matter. With an address that cannot be used nothing is sent, and nothing is said.
        /// </summary>
        public string LauncherUrl { get; set; } = KitConstants.DefaultUrl;

        /// <summary>Whether <see cref="RecordingService"/> sends; true by default.</summary>
        public bool EnableRecording { get; set; } = true;

        /// <summary>Whether <see cref="MonitorService"/> sends; true by default.</summary>
        public bool EnableMonitor { get; set; } = true;

        /// <summary>Whether <see cref="SocialService"/> sends; true by default.</summary>
        public bool EnableSocial { get; set; } = true;

        /// <summary>
        /// The build that error reports name: the version of the game. Null, the default, for the version that the engine
        /// knows; empty for none. Kit sends its first 100 characters.
        /// </summary>
        public string? Build { get; set; }

        /// <summary>
        /// Whether Kit also reports errors that nobody caught, with their stack; false by default. Needs
        /// <see cref="EnableMonitor"/>. Each is reported once, and at most 10 in any second. The game and its own handlers go
        /// on, or end, as without it. Where it was false at the last <c>Initialize</c>, a later true has no effect.
        /// </summary>
        public bool ReportUncaughtErrors { get; set; }

        /// <summary>A copy of its own, with the address and the build as they are used.</summary>
        internal KitConfig Copy()
        {
            return new KitConfig
            {
                LauncherUrl = LauncherAddress.Trim(LauncherUrl),
                EnableRecording = EnableRecording,
                EnableMonitor = EnableMonitor,
                EnableSocial = EnableSocial,
                Build = KitBuild.InUse(Build),
                ReportUncaughtErrors = ReportUncaughtErrors,
            };
        }
    }
}
