// A game that runs code of its own before the first scene, as games with a bootstrap do.
using System;
using UnityEngine;

namespace StandIn.Play
{
    internal static class EarlyGame
    {
        internal static Action OnAssembliesLoaded { get; set; }

        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.AfterAssembliesLoaded)]
        private static void Run()
        {
            OnAssembliesLoaded?.Invoke();
        }
    }
}
