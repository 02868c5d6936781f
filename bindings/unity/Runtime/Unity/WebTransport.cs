// Sends in a web page, where there are no sockets and no threads: by UnityWebRequest, which is the browser's fetch there.
#if UNITY_WEBGL && !UNITY_EDITOR
using System;
using System.Threading;
using UnityEngine.Networking;

namespace Kit
{
    internal sealed class WebTransport : IKitTransport
    {
        private readonly int _mainThreadId = Thread.CurrentThread.ManagedThreadId;
        private readonly SynchronizationContext _mainThread = SynchronizationContext.Current;

        /// <summary>Must be made on the main thread: that is the thread it sends from.</summary>
        internal WebTransport()
        {
        }

        public void Send(KitRequest request)
        {
            if (Thread.CurrentThread.ManagedThreadId == _mainThreadId) Start(request);
            else if (_mainThread != null) _mainThread.Post(Start, request);
            else request.Settle();
        }

        private static void Start(object state)
        {
            var request = (KitRequest)state;
            UnityWebRequest web = null;
            try
            {
                byte[] body = request.WriteBody();
                web = new UnityWebRequest(request.Url, UnityWebRequest.kHttpVerbPOST);
                web.uploadHandler = new UploadHandlerRaw(body);
                web.downloadHandler = new UnreadAnswer();
                web.SetRequestHeader("Content-Type", "application/json");
                web.timeout = KitConstants.TimeoutMs / 1000;
                web.redirectLimit = 0;
                UnityWebRequest sent = web;
                web.SendWebRequest().completed += _ => End(sent, request);
            }
            catch (Exception)
            {
                // An address the engine refuses, or plain HTTP to another machine where the project forbids it.
                End(web, request);
            }
        }

        private static void End(UnityWebRequest web, KitRequest request)
        {
            try
            {
                web?.Dispose();
            }
            finally
            {
                request.Settle();
            }
        }

        /// <summary>Lets a short answer pass by and breaks off a long one, so that a launcher gone wrong fills no memory.</summary>
        private sealed class UnreadAnswer : DownloadHandlerScript
        {
            private const int BytesMax = 16 * 1024;
            private int _bytes;

            internal UnreadAnswer() : base(new byte[1024])
            {
            }

            protected override bool ReceiveData(byte[] data, int dataLength)
            {
                _bytes += dataLength;
                return _bytes <= BytesMax;
            }
        }
    }
}
#endif
