// One conformance case: its steps, frame by frame, and what came of them.
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.CompilerServices;
using Kit;

namespace Conform;

internal sealed class CasePlay
{
    private readonly string _id;
    private readonly List<string> _threw = new();
    private readonly List<string> _calls = new();
    private readonly List<string> _failures = new();
    private readonly List<string> _reads = new();
    private int _frames;
    private bool _isQuiet;

    internal CasePlay(string id) => _id = id;

    /// <summary>What the case starts the binding with; null when it starts nothing.</summary>
    internal KitConfig? Start { get; set; }

    internal List<string[]> Steps { get; } = new();

    internal bool HasQuit { get; private set; }

    internal void StartBinding()
    {
        if (Start != null) Guard(() => KitSDK.Initialize(Start));
    }

    /// <summary>Does its steps, and yields whenever a frame is over.</summary>
    internal IEnumerable<bool> Frames(CaseGame game)
    {
        foreach (string[] step in Steps)
        {
            if (step[0] == "quit")
            {
                Quit(game);
                yield break;
            }
            for (DateTime? end = null; LetsPass(step, ref end);)
            {
                _frames++;
                yield return true;
            }
            if (step[0] == "pause") game.StandInActivate(false);
            else Do(step, 0);
        }
        Report.Case(_id, _calls, _failures, _threw, game.TakeProblems(), _reads, _frames);
        yield return true;
    }

    internal void ReportLate(CaseGame game)
    {
        string[] problems = game.TakeProblems();
        if (problems.Length > 0) Report.Case(_id, Array.Empty<string>(), Array.Empty<string>(), _threw, problems, Array.Empty<string>(), 0);
    }

    /// <summary>Whether one more frame has to pass in this step.</summary>
    private bool LetsPass(string[] step, ref DateTime? end)
    {
        switch (step[0])
        {
            case "frames":
                int left = Number(step[1]);
                step[1] = (left - 1).ToString(CultureInfo.InvariantCulture);
                return left > 0;
            case "wait":
                end ??= DateTime.UtcNow.AddMilliseconds(Number(step[1]));
                return DateTime.UtcNow < end;
            default:
                return false;
        }
    }

    private void Do(string[] words, int number)
    {
        switch (words[0])
        {
            case "recording":
            case "social":
            case "monitor": Call(words, number); break;
            case "fail": Fail(words, number, 1); break;
            case "initialize": Guard(() => Initialize(words)); break;
            case "read": _reads.Add(Report.Read(KitSDK.IsInitialized, KitSDK.Config)); break;
            case "repeat": Repeat(Number(words[1]), words[2..]); break;
            case "threads": OnThreads(Number(words[1]), words[2..]); break;
            case "block": Thread.Sleep(Number(words[1])); break;
            case "frames":
            case "wait": break;
            default: throw new NotSupportedException($"no such step: {words[0]}");
        }
    }

    private static void Initialize(string[] words)
    {
        if (words.Length == 1) KitSDK.Initialize();
        else KitSDK.Initialize(Script.ConfigOf(words));
    }

    private void Call(string[] words, int number)
    {
        string text = Script.TextOf(words[1], number);
        string? stackTrace = words.Length > 2 ? Script.TextOf(words[2], number) : null;
        double before = Report.NowMs();
        Guard(() =>
        {
            if (words[0] == "recording") KitSDK.Recording.TriggerEvent(text);
            else if (words[0] == "social") KitSDK.Social.TriggerEvent(text);
            else if (words.Length > 2) KitSDK.Monitor.ReportError(text, stackTrace);
            else KitSDK.Monitor.ReportError(text);
        });
        if (!_isQuiet) _calls.Add(Report.Pair(before, Report.NowMs()));
    }

    private void Guard(Action action)
    {
        try
        {
            action();
        }
        catch (Exception exception)
        {
            lock (_threw) _threw.Add(exception.ToString());
        }
    }

    /// <summary>Only the first and the last are timed.</summary>
    private void Repeat(int times, string[] step)
    {
        if (step[0] == "fail")
        {
            Fail(step, 1, times);
            return;
        }
        for (int i = 1; i <= times; i++)
        {
            _isQuiet = i > 1 && i < times;
            Do(step, i);
        }
        _isQuiet = false;
    }

    /// <summary>Tasks that nobody awaits, because any other exception that nobody catches ends the process.</summary>
    private void Fail(string[] words, int number, int times)
    {
        double before = Report.NowMs();
        for (int i = 0; i < times; i++) LoseTask(Script.TextOf(words[1], number + i));
        GC.Collect();
        GC.WaitForPendingFinalizers();
        _failures.Add(Report.Pair(before, Report.NowMs()));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LoseTask(string message)
    {
        Task lost = Task.Run(() => throw new InvalidOperationException(message));
        ((IAsyncResult)lost).AsyncWaitHandle.WaitOne();
    }

    private void OnThreads(int count, string[] step)
    {
        double before = Report.NowMs();
        _isQuiet = true;
        Thread[] threads = Enumerable.Range(1, count).Select(i => new Thread(() => Do(step, i))).ToArray();
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        _isQuiet = false;
        _calls.Add(Report.Pair(before, Report.NowMs()));
    }

    private void Quit(CaseGame game)
    {
        HasQuit = true;
        Report.Case(_id, _calls, _failures, _threw, game.TakeProblems(), _reads, _frames);
        Report.Quit(_id);
        game.Exit();
    }

    private static int Number(string word) => int.Parse(word, CultureInfo.InvariantCulture);
}
