// Writes what came of a case for driver.ts, which makes JSON of it: tab-separated words, texts in base64.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using Kit;

namespace Conform
{
    internal static class Report
    {
        private static readonly TextWriter s_out = new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true };
        private static readonly DateTime s_epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);

        internal static double NowMs()
        {
            return (DateTime.UtcNow - s_epoch).Ticks / 10000.0;
        }

        internal static void Engine(string name)
        {
            s_out.WriteLine("engine\t" + name);
        }

        internal static string Pair(double before, double after)
        {
            return Number(before) + "," + Number(after);
        }

        internal static string Read(bool isInitialized, KitConfig config)
        {
            return string.Join(",", isInitialized, Text(config.LauncherUrl),
                config.EnableRecording, config.EnableMonitor, config.EnableSocial, Text(config.Build),
                config.ReportUncaughtErrors);
        }

        internal static void Case(
            string id, IEnumerable<string> calls, IEnumerable<string> failures, IEnumerable<string> threw,
            IEnumerable<string> errors, IEnumerable<string> reads, int frames)
        {
            s_out.WriteLine(string.Join("\t", "case", id, string.Join(";", calls), string.Join(";", failures),
                string.Join(";", threw.Select(Text)), string.Join(";", errors.Select(Text)), string.Join(";", reads), frames));
        }

        /// <summary>The moment from which the end of the process is timed.</summary>
        internal static void Quit(string id)
        {
            s_out.WriteLine("quit\t" + id + "\t" + Number(NowMs()));
        }

        private static string Number(double ms)
        {
            return ms.ToString("F3", CultureInfo.InvariantCulture);
        }

        private static string Text(string text)
        {
            return Convert.ToBase64String(Encoding.UTF8.GetBytes(text ?? ""));
        }
    }
}
