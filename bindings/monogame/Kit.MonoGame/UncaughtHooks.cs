// Where .NET tells of errors that nobody caught.
#nullable enable
using System;
using System.Threading;
using System.Threading.Tasks;

namespace Kit
{
    internal static class UncaughtHooks
    {
        private static int _areAttached;

        internal static void Attach()
        {
            if (Interlocked.Exchange(ref _areAttached, 1) == 1) return;
            AppDomain.CurrentDomain.UnhandledException += (_, unhandled) => OnUnhandled(unhandled);
            TaskScheduler.UnobservedTaskException += (_, unobserved) => OnUnobserved(unobserved);
        }

        internal static void OnUnhandled(UnhandledExceptionEventArgs unhandled)
        {
            // .NET wraps what is thrown and is no exception.
            if (unhandled.ExceptionObject is Exception exception) UncaughtErrors.Report(exception);
            // The handler that waits may have been called before this one.
            if (unhandled.IsTerminating) KitSDK.WaitAtQuit();
        }

        /// <summary>Leaves the exception unobserved, so that what the game set for that still happens.</summary>
        internal static void OnUnobserved(UnobservedTaskExceptionEventArgs unobserved)
        {
            foreach (Exception exception in unobserved.Exception.Flatten().InnerExceptions) UncaughtErrors.Report(exception);
        }
    }
}
