// Stand-in for UnityEngine.Networking: the same members, with real requests, delivered in frames as by the engine.
using System;

namespace UnityEngine
{
    public class AsyncOperation
    {
        private Action<AsyncOperation> _completed;

        public bool isDone { get; private set; }

        public event Action<AsyncOperation> completed
        {
            add
            {
                if (isDone) value(this);
                else _completed += value;
            }
            remove { _completed -= value; }
        }

        internal void Complete()
        {
            if (isDone) return;
            isDone = true;
            _completed?.Invoke(this);
        }
    }
}

namespace UnityEngine.Networking
{
    public class UploadHandler : IDisposable
    {
        internal UploadHandler()
        {
        }

        internal byte[] Body { get; set; }

        internal bool IsDisposed { get; private set; }

        public string contentType { get; set; }

        public virtual void Dispose()
        {
            IsDisposed = true;
        }
    }

    public sealed class UploadHandlerRaw : UploadHandler
    {
        public UploadHandlerRaw(byte[] data)
        {
            Body = (byte[])data.Clone();
        }
    }

    public class DownloadHandler : IDisposable
    {
        internal DownloadHandler()
        {
        }

        internal bool IsDisposed { get; private set; }

        internal byte[] Buffer { get; set; }

        public virtual void Dispose()
        {
            IsDisposed = true;
        }

        protected virtual bool ReceiveData(byte[] data, int dataLength)
        {
            return true;
        }

        /// <summary>Passes bytes on in pieces of the handler's own buffer; false if the handler stops the download.</summary>
        internal bool Take(byte[] bytes)
        {
            for (int from = 0; from < bytes.Length; from += Buffer.Length)
            {
                int length = Math.Min(Buffer.Length, bytes.Length - from);
                Array.Copy(bytes, from, Buffer, 0, length);
                if (!ReceiveData(Buffer, length)) return false;
            }
            return true;
        }
    }

    public class DownloadHandlerScript : DownloadHandler
    {
        public DownloadHandlerScript(byte[] preallocatedBuffer)
        {
            if (preallocatedBuffer == null || preallocatedBuffer.Length < 1) throw new ArgumentException("no buffer");
            Buffer = preallocatedBuffer;
        }
    }

    public class UnityWebRequestAsyncOperation : AsyncOperation
    {
        public UnityWebRequest webRequest { get; internal set; }
    }

    public class UnityWebRequest : IDisposable
    {
        public const string kHttpVerbPOST = "POST";

        private readonly UnityWebRequestAsyncOperation _operation = new UnityWebRequestAsyncOperation();
        private StandIn.Exchange _exchange;
        private bool _isDisposed;

        public UnityWebRequest(string url, string method)
        {
            StandIn.MainThread.Demand("UnityWebRequest.Create");
            StandIn.WebRequests.Count(1);
            Exchange = new StandIn.Exchange(url, method);
        }

        private StandIn.Exchange Exchange
        {
            get { return _isDisposed ? throw new ArgumentNullException("_unity_self") : _exchange; }
            set { _exchange = value; }
        }

        public UploadHandler uploadHandler { get; set; }

        public DownloadHandler downloadHandler { get; set; }

        public int timeout
        {
            get { return Exchange.TimeoutSeconds; }
            set { Exchange.TimeoutSeconds = value; }
        }

        public int redirectLimit
        {
            get { return Exchange.RedirectLimit; }
            set { Exchange.RedirectLimit = value; }
        }

        public void SetRequestHeader(string name, string value)
        {
            Exchange.Headers[name] = value;
        }

        public UnityWebRequestAsyncOperation SendWebRequest()
        {
            StandIn.MainThread.Demand("UnityWebRequest.BeginWebRequest");
            _operation.webRequest = this;
            StandIn.WebRequests.Begin(Exchange, uploadHandler, downloadHandler, _operation);
            return _operation;
        }

        public void Dispose()
        {
            if (_isDisposed) return;
            _exchange.Abort();
            uploadHandler?.Dispose();
            downloadHandler?.Dispose();
            _isDisposed = true;
            StandIn.WebRequests.Count(-1);
        }
    }
}
