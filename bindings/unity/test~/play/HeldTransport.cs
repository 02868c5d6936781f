// Takes the requests of Kit instead of the network, and keeps their bodies.
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Kit;

namespace StandIn.Play
{
    internal sealed class HeldTransport : IKitTransport
    {
        private readonly List<string> _bodies = new List<string>();

        internal int CountOf(string part)
        {
            return _bodies.Count(body => body.Contains(part));
        }

        public void Send(KitRequest request)
        {
            _bodies.Add(Encoding.UTF8.GetString(request.WriteBody()));
            request.Settle();
        }
    }
}
