// STAND-IN, not MonoGame: what a game's methods are handed.
namespace Microsoft.Xna.Framework
{
    public class GameTime(TimeSpan total, TimeSpan elapsed)
    {
        public TimeSpan TotalGameTime { get; } = total;

        public TimeSpan ElapsedGameTime { get; } = elapsed;
    }

    public class ExitingEventArgs : EventArgs
    {
        public bool Cancel { get; set; }
    }

    public class GraphicsDeviceManager(Game game)
    {
        public Game Game { get; } = game;
    }

    public readonly record struct Color(byte R, byte G, byte B)
    {
        public static Color CornflowerBlue => new(100, 149, 237);

        public static Color Gold => new(255, 215, 0);
    }
}

namespace Microsoft.Xna.Framework.Graphics
{
    /// <summary>Draws nothing.</summary>
    public class GraphicsDevice
    {
        public void Clear(Color color) => _ = color;
    }
}
