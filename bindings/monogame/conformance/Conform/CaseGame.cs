// A game whose frames are those of the cases it plays, one case after the other.
using System.Collections.Generic;
using Microsoft.Xna.Framework;

namespace Conform;

internal sealed class CaseGame : Game
{
    // A game starts the binding while it loads; its first event comes later.
    private static readonly TimeSpan Loading = TimeSpan.FromSeconds(0.5);
    private static readonly TimeSpan LastWait = TimeSpan.FromSeconds(1);

    private readonly IEnumerator<bool> _frames;
    private readonly List<string> _problems = new();

    internal CaseGame(IReadOnlyList<CasePlay> plays)
    {
        TaskScheduler.UnobservedTaskException += (_, late) =>
        {
            lock (_problems) _problems.Add(late.Exception.ToString());
        };
        _frames = Frames(plays).GetEnumerator();
    }

    internal string[] TakeProblems()
    {
        lock (_problems)
        {
            string[] taken = _problems.ToArray();
            _problems.Clear();
            return taken;
        }
    }

    protected override void Update(GameTime gameTime)
    {
        if (!_frames.MoveNext()) Exit();
    }

    private IEnumerable<bool> Frames(IReadOnlyList<CasePlay> plays)
    {
        plays[0].StartBinding();
        foreach (bool frame in FramesFor(Loading)) yield return frame;
        foreach (CasePlay play in plays)
        {
            if (play != plays[0]) play.StartBinding();
            foreach (bool frame in play.Frames(this)) yield return frame;
            StandInActivate(true);
            if (play.HasQuit) yield break;
        }
        // What is pending gets the time to leave, and what nobody observed the chance to be found.
        foreach (bool frame in FramesFor(LastWait)) yield return frame;
        GC.Collect();
        GC.WaitForPendingFinalizers();
        yield return true;
        plays[^1].ReportLate(this);
    }

    private static IEnumerable<bool> FramesFor(TimeSpan time)
    {
        for (DateTime end = DateTime.UtcNow + time; DateTime.UtcNow < end;) yield return true;
    }
}
