// Counts the requests that wait or are under way: how many there may be, and until when a quitting game waits for them.
#nullable enable
using System.Diagnostics;
using System.Threading;

namespace Kit
{
    internal sealed class PendingRequests
    {
        private readonly object _gate = new object();
        private int _count;
        private long _quitMsLeft = KitConstants.QuitFlushMs;

        /// <summary>False when as many wait as may: the newest is the one to go, for its loss costs no memory.</summary>
        internal bool TryAdd()
        {
            lock (_gate)
            {
                if (_count >= KitConstants.PendingMax) return false;
                _count++;
                return true;
            }
        }

        internal void Remove()
        {
            lock (_gate)
            {
                _count--;
                if (_count == 0) Monitor.PulseAll(_gate);
            }
        }

        /// <summary>
        /// Waits until nothing is pending, but all its calls together no longer than a quitting game may be held up: a game
        /// can end in more than one way at once.
        /// </summary>
        internal void WaitAtQuit()
        {
            lock (_gate)
            {
                while (_count > 0 && _quitMsLeft > 0)
                {
                    var clock = Stopwatch.StartNew();
                    Monitor.Wait(_gate, (int)_quitMsLeft);
                    _quitMsLeft -= clock.ElapsedMilliseconds;
                }
            }
        }
    }
}
