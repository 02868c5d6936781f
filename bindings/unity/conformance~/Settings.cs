// The settings asset of a project, made as its author would make it in the editor.
using System.Reflection;
using Kit;

namespace Conform
{
    internal static class Settings
    {
        internal static KitSettings Of(KitConfig config)
        {
            var settings = new KitSettings();
            Set(settings, "launcherUrl", config.LauncherUrl);
            Set(settings, "enableRecording", config.EnableRecording);
            Set(settings, "enableMonitor", config.EnableMonitor);
            Set(settings, "enableSocial", config.EnableSocial);
            Set(settings, "reportUncaughtErrors", config.ReportUncaughtErrors);
            if (config.Build != null) Set(settings, "build", config.Build);
            return settings;
        }

        private static void Set(KitSettings settings, string field, object value)
        {
            typeof(KitSettings).GetField(field, BindingFlags.Instance | BindingFlags.NonPublic).SetValue(settings, value);
        }
    }
}
