// Lets pending events leave when the process ends, in the ordinary way or by an exception nobody caught.
#nullable enable
using System;
using System.Threading;

namespace Kit
{
    internal static class QuitHooks
    {
        private static int _areAttached;

        internal static void Attach()
        {
            if (Interlocked.Exchange(ref _areAttached, 1) == 1) return;
            AppDomain.CurrentDomain.ProcessExit += (_, _) => KitSDK.WaitAtQuit();
            // After an exception nobody caught there is no ProcessExit, and the report of that very exception may be pending.
            AppDomain.CurrentDomain.UnhandledException += (_, ending) =>
            {
                if (ending.IsTerminating) KitSDK.WaitAtQuit();
            };
        }
    }
}
