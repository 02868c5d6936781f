// STAND-IN, not MonoGame: the game loop. No window and no graphics; what matters here is when which method is called.
using System.Diagnostics;
using Microsoft.Xna.Framework.Graphics;
using Microsoft.Xna.Framework.Input;

namespace Microsoft.Xna.Framework;

public class Game : IDisposable
{
    private readonly Stopwatch _clock = new();
    private bool _hasExited;

    public event EventHandler<EventArgs>? Activated;
    public event EventHandler<EventArgs>? Deactivated;
    public event EventHandler<ExitingEventArgs>? Exiting;

    public bool IsActive { get; private set; } = true;

    public TimeSpan TargetElapsedTime { get; set; } = TimeSpan.FromTicks(166_667);

    /// <summary>How long each turn of the loop rests while the window is not the player's.</summary>
    public TimeSpan InactiveSleepTime { get; set; } = TimeSpan.FromMilliseconds(20);

    public GraphicsDevice GraphicsDevice { get; } = new();

    /// <summary>Plays until <see cref="Exit"/>. What a method of the game throws leaves here, as in MonoGame.</summary>
    public void Run()
    {
        Initialize();
        LoadContent();
        BeginRun();
        _clock.Start();
        TimeSpan last = TimeSpan.Zero;
        for (long frame = 1; !_hasExited; frame++)
        {
            Rest(last);
            var time = new GameTime(_clock.Elapsed, _clock.Elapsed - last);
            last = _clock.Elapsed;
            Keyboard.Turn(frame);
            Update(time);
            if (!_hasExited) Draw(time);
        }
        EndRun();
        var exiting = new ExitingEventArgs();
        OnExiting(this, exiting);
        UnloadContent();
    }

    /// <summary>The loop ends when the Update under way has returned.</summary>
    public void Exit() => _hasExited = true;

    /// <summary>STAND-IN only: gives the window to the player, or takes it away.</summary>
    public void StandInActivate(bool isActive)
    {
        if (isActive == IsActive) return;
        IsActive = isActive;
        (isActive ? Activated : Deactivated)?.Invoke(this, EventArgs.Empty);
    }

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Initialize()
    {
    }

    protected virtual void LoadContent()
    {
    }

    protected virtual void UnloadContent()
    {
    }

    protected virtual void BeginRun()
    {
    }

    protected virtual void Update(GameTime gameTime)
    {
    }

    protected virtual void Draw(GameTime gameTime)
    {
    }

    protected virtual void EndRun()
    {
    }

    protected virtual void OnExiting(object sender, ExitingEventArgs args) => Exiting?.Invoke(sender, args);

    protected virtual void Dispose(bool disposing)
    {
    }

    private void Rest(TimeSpan last)
    {
        if (!IsActive) Thread.Sleep(InactiveSleepTime);
        TimeSpan left = last + TargetElapsedTime - _clock.Elapsed;
        if (left > TimeSpan.Zero) Thread.Sleep(left);
    }
}
