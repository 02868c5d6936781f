// The measured calls: Kit, an empty call, and the alternatives.
using System;
using System.Net.Http;
using System.Runtime.CompilerServices;
using System.Text;
using Kit;
#if WITH_PEER
using Microsoft.ApplicationInsights;
using Microsoft.ApplicationInsights.Extensibility;
#endif

namespace CallCosts
{
    internal sealed class Subjects
    {
        private readonly string _url;
        private HttpClient _client;

        internal Subjects(string url)
        {
            _url = url;
        }

        internal Action Named(string name)
        {
            switch (name)
            {
                case "empty": return () => Nothing("bench_empty");
                case "kit": return () => KitSDK.Recording.TriggerEvent("bench_kit");
                case "bare":
                    _client ??= new HttpClient();
                    return Post;
#if WITH_PEER
                case "peer": return Peer();
#endif
                default: throw new NotSupportedException("no such subject: " + name);
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static void Nothing(string eventId)
        {
        }

        private void Post()
        {
            string time = DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'");
            string body = "{\"eventId\":\"bench_bare\",\"timestamp\":\"" + time + "\"}";
            _ = _client.PostAsync(
                _url + "/api/recording/trigger", new StringContent(body, Encoding.UTF8, "application/json"));
        }

#if WITH_PEER
        /// <summary>The peer library, which sends to the launcher's address, so that nothing leaves the computer.</summary>
        private Action Peer()
        {
            var configuration = new TelemetryConfiguration
            {
                ConnectionString = "InstrumentationKey=00000000-0000-0000-0000-000000000001;IngestionEndpoint=" + _url + "/",
            };
            var client = new TelemetryClient(configuration);
            return () => client.TrackTrace("bench_peer");
        }
#endif
    }
}
