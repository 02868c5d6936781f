// KitSDK.Social: moments worth telling.
#nullable enable

namespace Kit
{
    /// <summary>Moments worth telling. Reached as <see cref="KitSDK.Social"/>.</summary>
    public sealed class SocialService
    {
        internal SocialService()
        {
        }

        /// <summary>
        /// Tells the launcher that this moment is worth telling. Returns at once and never throws; may be called from any
        /// thread.
        /// </summary>
        /// <param name="eventId">By convention <c>&lt;game&gt;_&lt;event&gt;</c>. When null or empty, nothing is sent.</param>
        public void TriggerEvent(string eventId)
        {
            KitSDK.Send(KitOperation.Social, eventId, "");
        }
    }
}
