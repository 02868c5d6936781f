// Throws on the thread of the game or on another one. Arguments: launcher URL, "game" or "thread", "on" or "off".
using Kit;

AppDomain.CurrentDomain.UnhandledException += (_, _) => Console.WriteLine("the game's own handler");
KitSDK.Initialize(new KitConfig { LauncherUrl = args[0], ReportUncaughtErrors = args[2] == "on" });
KitSDK.Recording.TriggerEvent("crash_start");
// The test ends this line once the first event has arrived: the first request of a process may take longer than its end is delayed.
Console.ReadLine();
if (args[1] == "game") Level.Load();
var thread = new Thread(Level.Load);
thread.Start();
thread.Join();

internal static class Level
{
    internal static void Load() => throw new InvalidOperationException("The sky has no stars");
}
