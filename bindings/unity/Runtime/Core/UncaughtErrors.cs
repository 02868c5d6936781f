// Errors that nobody caught, as the engine tells of them: each once, at most some a second, none of Kit's own.
#nullable enable
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Kit
{
    internal static class UncaughtErrors
    {
        private static readonly object Gate = new object();
        private static readonly Stopwatch Clock = Stopwatch.StartNew();
        private static readonly Queue<long> ReportedAtMs = new Queue<long>();
        private static ConditionalWeakTable<object, object> _seen = new ConditionalWeakTable<object, object>();
        private static int _unreported;

        [ThreadStatic]
        private static bool _isReporting;

        /// <summary>Milliseconds since some moment. Only tests set it.</summary>
        internal static Func<long> NowMs { get; set; } = () => Clock.ElapsedMilliseconds;

        /// <summary>Reports it, or counts it where it is one too many. Never throws, whatever the exception does.</summary>
        internal static void Report(Exception exception)
        {
            Guarded(() =>
            {
                if (IsNew(exception)) Tell(() => exception.GetType() + ": " + exception.Message, exception.ToString);
            });
        }

        /// <summary>The same for an engine that tells of an error in words only.</summary>
        internal static void Report(string message, string stackTrace)
        {
            Guarded(() => Tell(() => message, () => stackTrace));
        }

        /// <summary>Forgets what was reported, for engines whose static members outlive a play.</summary>
        internal static void Reset()
        {
            lock (Gate)
            {
                ReportedAtMs.Clear();
                _seen = new ConditionalWeakTable<object, object>();
                _unreported = 0;
            }
        }

        /// <summary>What goes wrong meanwhile on this thread is not reported: it would come from here.</summary>
        private static void Guarded(Action report)
        {
            if (_isReporting) return;
            _isReporting = true;
            try
            {
                KitConfig config = KitSDK.Config;
                if (!config.ReportUncaughtErrors || !config.EnableMonitor) return;
                lock (Gate) report();
            }
            catch (Exception)
            {
                // An exception whose members throw, say. It is not worth another one.
            }
            finally
            {
                _isReporting = false;
            }
        }

        /// <summary>The same exception can come by more than one hook.</summary>
        private static bool IsNew(Exception exception)
        {
            if (_seen.TryGetValue(exception, out _)) return false;
            _seen.Add(exception, exception.GetType());
            return true;
        }

        private static void Tell(Func<string> message, Func<string> stackTrace)
        {
            bool isFull = ReportedAtMs.Count == KitConstants.UncaughtPerSecondMax;
            _unreported++;
            if (isFull && NowMs() - ReportedAtMs.Peek() < 1000) return;
            string stack = stackTrace();
            if (_unreported > 1) stack += "\nUncaught errors not reported before this one: " + (_unreported - 1);
            if (KitSDK.Send(KitOperation.Monitor, message(), stack)) _unreported = 0;
            if (isFull) ReportedAtMs.Dequeue();
            // Once it is sent: a busy computer may have taken its time, and the second begins with the report.
            ReportedAtMs.Enqueue(NowMs());
        }
    }
}
