// The seam between the binding and whatever carries its requests. A platform without threads or sockets brings its own.
#nullable enable

namespace Kit
{
    internal interface IKitTransport
    {
        /// <summary>
        /// Takes one request over. Called at once and on the thread of the game's call, so it must not wait; what it throws
        /// is swallowed. It sends <c>request.WriteBody()</c> to <c>request.Url</c> and calls <c>request.Settle()</c> in the
        /// end, on any thread, at the latest after the time a request may take. What is never settled is pending for ever.
        /// </summary>
        void Send(KitRequest request);
    }
}
