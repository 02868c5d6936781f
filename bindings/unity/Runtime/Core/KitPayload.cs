// Writes a payload as JSON. By hand: no engine's own encoder is right for every string, and reflection fails under AOT.
#nullable enable
using System;
using System.Globalization;
using System.Text;

namespace Kit
{
    internal static class KitPayload
    {
        internal static byte[] Of(KitOperation operation, string text, string stackTrace, string build, DateTime utc)
        {
            var json = new StringBuilder(text.Length + stackTrace.Length + build.Length + 96);
            if (operation == KitOperation.Monitor)
            {
                AppendString(json.Append("{\"message\":"), text);
                AppendString(json.Append(",\"stackTrace\":"), stackTrace);
                if (build.Length > 0) AppendString(json.Append(",\"build\":"), build);
            }
            else
            {
                AppendString(json.Append("{\"eventId\":"), text);
            }
            json.Append(",\"timestamp\":\"").Append(Timestamp(utc)).Append("\"}");
            return Encoding.UTF8.GetBytes(json.ToString());
        }

        internal static string Timestamp(DateTime utc)
        {
            // Invariant: the player's culture has calendars, digits and separators of its own.
            return utc.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
        }

        private static void AppendString(StringBuilder json, string text)
        {
            json.Append('"');
            int written = 0;
            for (int i = 0; i < text.Length; i++)
            {
                if (char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
                {
                    i++;
                    continue;
                }
                if (!NeedsEscape(text[i])) continue;
                json.Append(text, written, i - written);
                AppendEscaped(json, text[i]);
                written = i + 1;
            }
            json.Append(text, written, text.Length - written).Append('"');
        }

        /// <summary>What JSON forbids, and half a surrogate pair, which UTF-8 cannot carry.</summary>
        private static bool NeedsEscape(char c)
        {
            return c < ' ' || c == '"' || c == '\\' || char.IsSurrogate(c);
        }

        private static void AppendEscaped(StringBuilder json, char c)
        {
            json.Append('\\');
            if (c == '"' || c == '\\') json.Append(c);
            else json.Append('u').Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
        }
    }
}
