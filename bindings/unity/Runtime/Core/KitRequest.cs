// One call of the game on its way to the launcher.
#nullable enable
using System;
using System.Threading;

namespace Kit
{
    internal sealed class KitRequest
    {
        private readonly PendingRequests _pending;
        private readonly KitOperation _operation;
        private readonly string _root;
        private readonly string _text;
        private readonly string _stackTrace;
        private readonly string _build;
        private readonly DateTime _utc;
        private int _isSettled;

        internal KitRequest(
            PendingRequests pending, string root, KitOperation operation, string text, string stackTrace, string build)
        {
            _pending = pending;
            _root = root;
            _operation = operation;
            _text = text;
            _stackTrace = stackTrace;
            _build = build;
            _utc = DateTime.UtcNow;
        }

        internal string Url => _root + _operation.Path();

        /// <summary>JSON in UTF-8. Written when asked for, so that a long stack trace costs the game's thread nothing.</summary>
        internal byte[] WriteBody()
        {
            return KitPayload.Of(_operation, _text, _stackTrace, _build, _utc);
        }

        /// <summary>Says that the request is over, whatever became of it. On any thread; only the first time counts.</summary>
        internal void Settle()
        {
            if (Interlocked.Exchange(ref _isSettled, 1) == 0) _pending.Remove();
        }
    }
}
