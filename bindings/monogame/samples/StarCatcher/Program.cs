// Runs the game, and reports the exception that ends it.
using Kit;
using StarCatcher;

KitSDK.Initialize(new KitConfig { LauncherUrl = Environment.GetEnvironmentVariable("STAR_CATCHER_LAUNCHER") ?? "http://127.0.0.1:9876" });
try
{
    using var game = new StarCatcherGame();
    game.Run();
}
catch (Exception exception)
{
    KitSDK.Monitor.ReportError(exception.Message, exception.StackTrace);
    throw;
}
