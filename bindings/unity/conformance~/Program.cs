// Plays conformance cases in the stand-in's player, with the package as a game would have it. Written to by driver.ts.
using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading.Tasks;
using StandIn;

namespace Conform
{
    internal static class Program
    {
        /// <summary>The argument is a script: one case after another, a line for each fact and each step.</summary>
        private static int Main(string[] arguments)
        {
            Report.Engine("Unity stand-in on " + RuntimeName());
            TaskScheduler.UnobservedTaskException += (_, late) => UnityEngine.Debug.LogException(late.Exception);
            // Loaded before the first scene, as an engine loads what a package brings.
            Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Kit.Unity.dll"));
            CasePlay last = null;
            foreach (CasePlay play in Script.Read(File.ReadAllLines(arguments[0])))
            {
                play.Run(isFirst: last == null);
                last = play;
                if (play.HasQuit) EndProcess(0);
            }
            DateTime end = DateTime.UtcNow.AddSeconds(1);
            while (DateTime.UtcNow < end) Player.Frame();
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Player.Frame();
            Player.Quit();
            last?.ReportLate();
            EndProcess(0);
            return 0;
        }

        /// <summary>
        /// At once, as an engine ends its process once it has raised Application.quitting: no hook of the runtime gets a
        /// second chance. Mono's own way out also hangs for seconds now and then, with or without Kit.
        /// </summary>
        [DllImport("libc", EntryPoint = "_exit")]
        private static extern void EndProcess(int status);

        private static string RuntimeName()
        {
            Type mono = Type.GetType("Mono.Runtime");
            if (mono == null) return ".NET " + Environment.Version;
            MethodInfo name = mono.GetMethod("GetDisplayName", BindingFlags.NonPublic | BindingFlags.Static);
            return "Mono " + ((string)name.Invoke(null, null)).Split(' ')[0];
        }
    }
}
