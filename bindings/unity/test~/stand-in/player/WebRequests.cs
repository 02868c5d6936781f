// The base of the stand-in's UnityWebRequest: sends with HttpClient, delivers answers in frames, counts leaks.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine.Networking;

namespace StandIn
{
    public static class WebRequests
    {
        private static readonly List<Sent> s_underWay = new List<Sent>();

        /// <summary>UnityWebRequests that were created and not disposed of.</summary>
        public static int Undisposed { get; private set; }

        /// <summary>All UnityWebRequests that were created.</summary>
        public static int Made { get; private set; }

        /// <summary>All bytes of answers that the game received.</summary>
        public static long BytesTaken { get; private set; }

        internal static void Count(int change)
        {
            Undisposed += change;
            if (change > 0) Made += 1;
        }

        internal static void Begin(
            Exchange exchange, UploadHandler upload, DownloadHandler download, UnityWebRequestAsyncOperation operation)
        {
            exchange.Start(upload);
            s_underWay.Add(new Sent { Exchange = exchange, Download = download, Operation = operation });
        }

        internal static void DeliverDue()
        {
            foreach (Sent sent in s_underWay.ToArray())
            {
                Deliver(sent);
                if (!sent.Exchange.IsOver) continue;
                s_underWay.Remove(sent);
                sent.Operation.Complete();
            }
        }

        private static void Deliver(Sent sent)
        {
            byte[] piece = sent.Exchange.TakePiece();
            if (piece == null) return;
            BytesTaken += piece.Length;
            if (sent.Download != null && !sent.Download.Take(piece)) sent.Exchange.Abort();
        }

        private sealed class Sent
        {
            internal Exchange Exchange;
            internal DownloadHandler Download;
            internal UnityWebRequestAsyncOperation Operation;
        }
    }

    /// <summary>One request and its answer. The answer is read no faster than the game reads it.</summary>
    internal sealed class Exchange
    {
        private static readonly HttpClient s_client = new HttpClient(
            new HttpClientHandler { AllowAutoRedirect = false, UseProxy = false, UseCookies = false });

        private readonly Uri _url;
        private readonly HttpMethod _method;
        private readonly CancellationTokenSource _end = new CancellationTokenSource();
        private readonly ConcurrentQueue<byte[]> _pieces = new ConcurrentQueue<byte[]>();
        private readonly SemaphoreSlim _room = new SemaphoreSlim(1);
        private volatile bool _isRead;

        internal Exchange(string url, string method)
        {
            _url = new Uri(url);
            _method = new HttpMethod(method);
        }

        internal int TimeoutSeconds { get; set; }

        internal int RedirectLimit { get; set; } = 32;

        internal Dictionary<string, string> Headers { get; } = new Dictionary<string, string>();

        internal bool IsOver
        {
            get { return _isRead && _pieces.IsEmpty; }
        }

        internal void Start(UploadHandler upload)
        {
            // The engine's own rule for plain HTTP since 2022.1, in a project with the default setting.
            if (_url.Scheme == "http" && !_url.IsLoopback) throw new InvalidOperationException("Insecure connection not allowed");
            // Settings that the package never uses are not supported here.
            if (RedirectLimit != 0) throw new NotSupportedException("the stand-in follows no redirect");
            if (TimeoutSeconds > 0) _end.CancelAfter(TimeSpan.FromSeconds(TimeoutSeconds));
            var message = new HttpRequestMessage(_method, _url) { Content = new ByteArrayContent(upload.Body) };
            message.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(ContentType(upload));
            Task.Run(() => Read(message));
        }

        internal byte[] TakePiece()
        {
            byte[] piece;
            if (!_pieces.TryDequeue(out piece)) return null;
            _room.Release();
            return piece;
        }

        internal void Abort()
        {
            _end.Cancel();
        }

        /// <summary>The engine's order: the request's own header, the upload handler's, octet-stream.</summary>
        private string ContentType(UploadHandler upload)
        {
            string own;
            return Headers.TryGetValue("Content-Type", out own) ? own : upload.contentType ?? "application/octet-stream";
        }

        private async Task Read(HttpRequestMessage message)
        {
            try
            {
                using (message)
                using (var answer = await s_client.SendAsync(message, HttpCompletionOption.ResponseHeadersRead, _end.Token))
                using (var body = await answer.Content.ReadAsStreamAsync())
                {
                    var buffer = new byte[8192];
                    for (;;)
                    {
                        await _room.WaitAsync(_end.Token);
                        int length = await body.ReadAsync(buffer, 0, buffer.Length, _end.Token);
                        if (length == 0) break;
                        var piece = new byte[length];
                        Array.Copy(buffer, piece, length);
                        _pieces.Enqueue(piece);
                    }
                }
            }
            catch (Exception)
            {
                // Refused, dropped, timed out or aborted: the engine reports it in properties the package does not read.
            }
            finally
            {
                _isRead = true;
            }
        }
    }
}
