// The calls as a Unity game makes them: on the thread on which the stand-in's player started the game.
using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;
using StandIn;

namespace CallCosts
{
    internal static class Program
    {
        private static int Main(string[] arguments)
        {
            // Loaded before the first scene, as an engine loads what a package brings.
            Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Kit.Unity.dll"));
            Player.Start();
            var costs = new Costs(RuntimeName() + ", Unity stand-in", arguments[0]);
            // The player's own frames last as long as a screen's; nothing that Kit sends on a desktop depends on them.
            while (costs.Frame()) Thread.Sleep(TimeSpan.FromMilliseconds(costs.FrameMs));
            Player.Quit();
            EndProcess(0);
            return 0;
        }

        private static string RuntimeName()
        {
            Type mono = Type.GetType("Mono.Runtime");
            if (mono == null) return ".NET " + Environment.Version;
            MethodInfo name = mono.GetMethod("GetDisplayName", BindingFlags.NonPublic | BindingFlags.Static);
            return "Mono " + ((string)name.Invoke(null, null)).Split(' ')[0];
        }

        /// <summary>At once, as an engine ends its process: Mono's own way out hangs for seconds now and then.</summary>
        [DllImport("libc", EntryPoint = "_exit")]
        private static extern void EndProcess(int status);
    }
}
