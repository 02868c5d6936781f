// STAND-IN, not MonoGame: a keyboard that a test plays, through STAND_IN_KEYS="2:B 4:Escape" (frame, key), and through
// STAND_IN_LAST="Escape /a/file": that key is down as soon as the file is there.
using System.Globalization;

namespace Microsoft.Xna.Framework.Input;

public enum Keys
{
    B,
    E,
    S,
    X,
    Escape,
}

public readonly struct KeyboardState(Keys? down)
{
    public bool IsKeyDown(Keys key) => down == key;
}

public static class Keyboard
{
    private static readonly Dictionary<long, Keys> Played = Read(Environment.GetEnvironmentVariable("STAND_IN_KEYS"));
    private static readonly string[] Last = (Environment.GetEnvironmentVariable("STAND_IN_LAST") ?? "").Split(' ', 2);
    private static Keys? _down;

    public static KeyboardState GetState() => new(_down);

    internal static void Turn(long frame) => _down = Played.TryGetValue(frame, out Keys key) ? key : LastDown();

    private static Keys? LastDown() => Last.Length == 2 && File.Exists(Last[1]) ? Enum.Parse<Keys>(Last[0]) : null;

    private static Dictionary<long, Keys> Read(string? keys) =>
        (keys ?? "")
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(pressed => pressed.Split(':'))
            .ToDictionary(pressed => long.Parse(pressed[0], CultureInfo.InvariantCulture), pressed => Enum.Parse<Keys>(pressed[1]));
}
