// A game of five keys: B beats the boss, S has all stars, E meets a damaged save file, X breaks the game, Escape leaves.
using Kit;
using Microsoft.Xna.Framework;
using Microsoft.Xna.Framework.Input;

namespace StarCatcher;

public sealed class StarCatcherGame : Game
{
    private KeyboardState _before;
    private Color _sky = Color.CornflowerBlue;

    public StarCatcherGame() => _ = new GraphicsDeviceManager(this);

    protected override void Update(GameTime gameTime)
    {
        KeyboardState now = Keyboard.GetState();
        if (IsPressed(Keys.B, now)) BeatBoss();
        if (IsPressed(Keys.S, now)) KitSDK.Social.TriggerEvent("starcatcher_all_stars");
        if (IsPressed(Keys.E, now)) LoadSaveFile();
        if (IsPressed(Keys.X, now)) throw new InvalidOperationException("The sky has no stars");
        if (IsPressed(Keys.Escape, now)) Exit();
        _before = now;
        base.Update(gameTime);
    }

    protected override void Draw(GameTime gameTime)
    {
        GraphicsDevice.Clear(_sky);
        base.Draw(gameTime);
    }

    private void BeatBoss()
    {
        _sky = Color.Gold;
        KitSDK.Recording.TriggerEvent("starcatcher_boss_defeated");
    }

    private static void LoadSaveFile()
    {
        try
        {
            throw new InvalidDataException("The save file is damaged");
        }
        catch (InvalidDataException exception)
        {
            KitSDK.Monitor.ReportError(exception.Message, exception.StackTrace);
        }
    }

    private bool IsPressed(Keys key, KeyboardState now) => now.IsKeyDown(key) && !_before.IsKeyDown(key);
}
