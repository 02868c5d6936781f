// The process in which cases are played. Its argument is the script driver.ts wrote.
using System.IO;

namespace Conform;

internal static class Program
{
    private static void Main(string[] arguments)
    {
        Report.Engine($".NET {Environment.Version} (MonoGame stand-in)");
        using var game = new CaseGame(Script.Read(File.ReadAllLines(arguments[0])));
        game.Run();
    }
}
