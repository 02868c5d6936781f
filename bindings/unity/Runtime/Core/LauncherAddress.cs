// Whether the launcher's address, as the game wrote it, can be used. Found out once, not at every call.
#nullable enable
using System;

namespace Kit
{
    internal sealed class LauncherAddress
    {
        /// <summary>What the game wrote.</summary>
        internal readonly string? Given;

        /// <summary>What a path is put behind, or null when nothing can be sent there.</summary>
        internal readonly string? Root;

        internal LauncherAddress(string? given)
        {
            Given = given;
            string trimmed = Trim(given);
            Root = IsUsable(trimmed) ? trimmed : null;
        }

        internal static string Trim(string? given)
        {
            return (given ?? KitConstants.DefaultUrl).Trim().TrimEnd('/');
        }

        private static bool IsUsable(string address)
        {
            // The first Uri of a process costs milliseconds, and a call may be what starts the binding.
            if (address == KitConstants.DefaultUrl) return true;
            return address.IndexOfAny(Unusable) < 0
                && Uri.TryCreate(address, UriKind.Absolute, out Uri? uri)
                && (uri.Scheme == Uri.UriSchemeHttp || uri.Scheme == Uri.UriSchemeHttps)
                // A password in it would be sent in the clear, or not at all: nobody could tell which.
                && uri.UserInfo.Length == 0
                && uri.Host.Length > 0;
        }

        /// <summary>A path put behind a query or a fragment would become a part of it; a backslash is Windows's own.</summary>
        private static readonly char[] Unusable = { '?', '#', '\\' };
    }
}
