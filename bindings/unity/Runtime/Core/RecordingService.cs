// KitSDK.Recording: moments worth a clip.
#nullable enable

namespace Kit
{
    /// <summary>Moments worth a clip. Reached as <see cref="KitSDK.Recording"/>.</summary>
    public sealed class RecordingService
    {
        internal RecordingService()
        {
        }

        /// <summary>
        /// Tells the launcher that this moment is worth a clip. Returns at once and never throws; may be called from any
        /// thread.
        /// </summary>
        /// <param name="eventId">By convention <c>&lt;game&gt;_&lt;event&gt;</c>. When null or empty, nothing is sent.</param>
        public void TriggerEvent(string eventId)
        {
            KitSDK.Send(KitOperation.Recording, eventId, "");
        }
    }
}
