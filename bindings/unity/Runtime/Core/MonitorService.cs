// KitSDK.Monitor: errors and diagnostics.
#nullable enable

namespace Kit
{
    /// <summary>Errors and diagnostics. Reached as <see cref="KitSDK.Monitor"/>.</summary>
    public sealed class MonitorService
    {
        internal MonitorService()
        {
        }

        /// <summary>
        /// Reports that something went wrong. Returns at once and never throws; may be called from any thread, also while an
        /// exception is on its way out of the game.
        /// </summary>
        /// <param name="message">What went wrong. When null or empty, nothing is sent.</param>
        /// <param name="stackTrace">Where it went wrong, for example <c>exception.StackTrace</c>; null when unknown.</param>
        public void ReportError(string message, string? stackTrace = null)
        {
            KitSDK.Send(KitOperation.Monitor, message, stackTrace ?? "");
        }
    }
}
