// The only thread of a game in the stand-in. Calls from other threads are refused as by the engine.
using System;
using System.Collections.Generic;
using System.Threading;
using UnityEngine;

namespace StandIn
{
    public static class MainThread
    {
        private static int s_id;

        internal static void Claim()
        {
            s_id = Thread.CurrentThread.ManagedThreadId;
        }

        internal static void Demand(string member)
        {
            if (Thread.CurrentThread.ManagedThreadId == s_id) return;
            throw new UnityException(member + " can only be called from the main thread.");
        }
    }

    /// <summary>Runs posted callbacks once a frame, on the main thread. Exceptions are logged, not thrown.</summary>
    internal sealed class FrameContext : SynchronizationContext
    {
        private readonly Queue<Action> _work = new Queue<Action>();

        public override void Post(SendOrPostCallback callback, object state)
        {
            lock (_work) _work.Enqueue(() => callback(state));
        }

        internal void Run()
        {
            Action[] due;
            lock (_work)
            {
                due = _work.ToArray();
                _work.Clear();
            }
            foreach (Action work in due)
            {
                try
                {
                    work();
                }
                catch (Exception exception)
                {
                    Debug.LogException(exception);
                }
            }
        }

        internal void Forget()
        {
            lock (_work) _work.Clear();
        }
    }
}
