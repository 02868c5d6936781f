// Makes the calls on the main thread of the stand-in player, like a Unity game.
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
            // Loaded before the first scene, like the assemblies of a package.
            Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Kit.Unity.dll"));
            Player.Start();
            var costs = new Costs(RuntimeName() + ", Unity stand-in", arguments[0]);
            // The player's frames are not used, because Kit does not depend on them on desktops.
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

        /// <summary>Exits immediately, because Mono's normal exit sometimes hangs for seconds.</summary>
        [DllImport("libc", EntryPoint = "_exit")]
        private static extern void EndProcess(int status);
    }
}
