// What the package names of UnityEngine.Networking, so that its web build can be compiled. Nothing here is called.
using System;

namespace UnityEngine
{
    public class AsyncOperation
    {
        public event Action<AsyncOperation> completed
        {
            add => throw new NotSupportedException();
            remove => throw new NotSupportedException();
        }
    }
}

namespace UnityEngine.Networking
{
    public class UploadHandler : IDisposable
    {
        public virtual void Dispose() => throw new NotSupportedException();
    }

    public sealed class UploadHandlerRaw : UploadHandler
    {
        public UploadHandlerRaw(byte[] data)
        {
        }
    }

    public class DownloadHandler : IDisposable
    {
        public virtual void Dispose() => throw new NotSupportedException();

        protected virtual bool ReceiveData(byte[] data, int dataLength) => throw new NotSupportedException();
    }

    public class DownloadHandlerScript : DownloadHandler
    {
        public DownloadHandlerScript(byte[] preallocatedBuffer)
        {
        }
    }

    public class UnityWebRequestAsyncOperation : AsyncOperation
    {
    }

    public class UnityWebRequest : IDisposable
    {
        public const string kHttpVerbPOST = "POST";

        public UnityWebRequest(string url, string method)
        {
        }

        public UploadHandler uploadHandler { get; set; }

        public DownloadHandler downloadHandler { get; set; }

        public int timeout { get; set; }

        public int redirectLimit { get; set; }

        public void SetRequestHeader(string name, string value) => throw new NotSupportedException();

        public UnityWebRequestAsyncOperation SendWebRequest() => throw new NotSupportedException();

        public void Dispose() => throw new NotSupportedException();
    }
}
