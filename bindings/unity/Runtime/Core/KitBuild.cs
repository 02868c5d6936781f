// The build in error reports: the version of the game, as the game set it or as its engine knows it.
#nullable enable

namespace Kit
{
    internal static class KitBuild
    {
        /// <summary>
        /// The version that the engine knows; null until it was looked up. Set at the start, by the part that knows the engine.
        /// </summary>
        internal static volatile string? OfEngine;

        /// <summary>The build that reports name; empty for none. Costs nothing where the setting is already as it is sent.</summary>
        internal static string InUse(string? setting)
        {
            string build = (setting ?? OfEngine ?? "").Trim();
            if (build.Length <= KitConstants.BuildCharsMax) return build;
            bool splitsPair = char.IsHighSurrogate(build[KitConstants.BuildCharsMax - 1]);
            return build.Substring(0, KitConstants.BuildCharsMax - (splitsPair ? 1 : 0)).TrimEnd();
        }
    }
}
