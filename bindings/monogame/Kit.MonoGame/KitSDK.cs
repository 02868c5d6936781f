// What MonoGame's KitSDK has beyond the core: the start without settings.
#nullable enable

namespace Kit
{
    public static partial class KitSDK
    {
        /// <summary>Starts with the defaults. May be called again at any time.</summary>
        public static void Initialize()
        {
            Initialize(null);
        }
    }
}
