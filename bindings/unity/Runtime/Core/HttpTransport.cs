// Carries requests with HttpClient, beside the game: the game's thread only puts them into a queue.
#nullable enable
using System;
using System.Collections.Generic;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading;
using System.Threading.Tasks;

namespace Kit
{
    internal sealed class HttpTransport : IKitTransport
    {
        private static readonly WaitCallback SendWaiting = transport => ((HttpTransport)transport!).SendAll();

        private readonly Queue<KitRequest> _waiting = new Queue<KitRequest>();
        private bool _isSending;
        private bool _isWarm;
        private bool _rehearses;
        private HttpClient? _client;

        public void Send(KitRequest request)
        {
            lock (_waiting)
            {
                _waiting.Enqueue(request);
                StartSending();
            }
        }

        /// <summary>
        /// Does beside the game what the first request of a process waits for: up to half a second under Mono. An event of
        /// the frame in which a game quits could take longer than the game may be held up.
        /// </summary>
        internal void WarmUp()
        {
            lock (_waiting)
            {
                if (_isWarm) return;
                _isWarm = true;
                _rehearses = true;
                StartSending();
            }
        }

        private void StartSending()
        {
            if (_isSending) return;
            // One of the pool's threads at a time, so that Kit can never occupy those the game works with.
            ThreadPool.UnsafeQueueUserWorkItem(SendWaiting, this);
            _isSending = true;
        }

        private void SendAll()
        {
            while (Next() is KitRequest request)
            {
                // Never faults, so there is nothing to observe.
                _ = PostAsync(request);
            }
        }

        private KitRequest? Next()
        {
            lock (_waiting)
            {
                if (_waiting.Count == 0 && !_rehearses)
                {
                    _isSending = false;
                    return null;
                }
                // A real request is the better rehearsal.
                _rehearses = false;
                return _waiting.Count > 0 ? _waiting.Dequeue() : Rehearsal();
            }
        }

        /// <summary>Goes the way of every request until the system refuses port 0, on this machine and at once.</summary>
        private static KitRequest Rehearsal()
        {
            return new KitRequest(new PendingRequests(), "http://127.0.0.1:0", KitOperation.Monitor, "", "", "");
        }

        private async Task PostAsync(KitRequest request)
        {
            try
            {
                HttpClient client = _client ??= CreateClient();
                using var content = new ByteArrayContent(request.WriteBody());
                content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
                using var message = new HttpRequestMessage(HttpMethod.Post, request.Url) { Content = content };
                // A connection used twice may be closed under a request, and the client would send that request again.
                message.Headers.ConnectionClose = true;
                using HttpResponseMessage answer = await client
                    .SendAsync(message, HttpCompletionOption.ResponseHeadersRead)
                    .ConfigureAwait(false);
            }
            catch (Exception)
            {
                // No launcher, a broken one, a slow one: none of it is the game's trouble.
            }
            finally
            {
                request.Settle();
            }
        }

        /// <summary>Never called by the game's thread: the first client of a process takes up to a tenth of a second.</summary>
        private static HttpClient CreateClient()
        {
            var handler = new HttpClientHandler();
            // Proxies of the system would take the loopback address too.
            Attempt(() => handler.UseProxy = false);
            Attempt(() => handler.UseCookies = false);
            Attempt(() => handler.AllowAutoRedirect = false);
            // A request that waited for a connection would spend its seconds there while the launcher is slow.
            Attempt(() => handler.MaxConnectionsPerServer = KitConstants.PendingMax);
            var client = new HttpClient(handler);
            Attempt(() => client.Timeout = TimeSpan.FromMilliseconds(KitConstants.TimeoutMs));
            Attempt(() => client.DefaultRequestHeaders.ExpectContinue = false);
            return client;
        }

        /// <summary>Not every platform's client has every setting; one it lacks is no reason to send nothing.</summary>
        private static void Attempt(Action set)
        {
            try
            {
                set();
            }
            catch (Exception)
            {
                // The platform's own default holds then.
            }
        }
    }
}
