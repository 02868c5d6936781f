// Tests of errors that nobody caught: what is reported of them, how often, and that off changes nothing.
using System.Runtime.CompilerServices;
using System.Text.Json;
using Xunit;

namespace Kit.Tests;

public sealed class UncaughtTests : IDisposable
{
    private readonly HeldTransport _transport = new();
    private readonly Func<long> _clock = UncaughtErrors.NowMs;
    private long _nowMs = 5_000;

    public UncaughtTests()
    {
        UncaughtErrors.NowMs = () => _nowMs;
        KitSDK.WatchForUncaught = null;
    }

    public void Dispose() => UncaughtErrors.NowMs = _clock;

    private static void SwitchOn() => KitSDK.Initialize(new KitConfig { ReportUncaughtErrors = true });

    private static Exception Thrown(string message, Exception? inner = null)
    {
        try
        {
            throw new InvalidOperationException(message, inner);
        }
        catch (Exception exception)
        {
            return exception;
        }
    }

    private static void Unhandled(object thrown) => UncaughtHooks.OnUnhandled(new UnhandledExceptionEventArgs(thrown, false));

    private string Member(int index, string name) => _transport.Body(index).GetProperty(name).GetString()!;

    [Fact]
    public void Off_by_default_no_hook_is_attached_and_nothing_is_reported()
    {
        int watched = 0;
        KitSDK.WatchForUncaught = () => watched++;
        KitSDK.Initialize();
        Assert.False(KitSDK.Config.ReportUncaughtErrors);
        Unhandled(Thrown("boom"));
        UncaughtErrors.Report("boom", "stack");
        Assert.Equal(0, watched);
        Assert.Empty(_transport.Held);
        SwitchOn();
        Assert.Equal(1, watched);
    }

    [Fact]
    public void An_exception_is_reported_with_its_type_its_stack_and_what_caused_it()
    {
        SwitchOn();
        Unhandled(Thrown("outer", Thrown("inner")));
        Assert.Equal("System.InvalidOperationException: outer", Member(0, "message"));
        Assert.StartsWith("System.InvalidOperationException: outer\n ---> System.InvalidOperationException: inner", Member(0, "stackTrace"));
        Assert.Contains("   at Kit.Tests.UncaughtTests.Thrown", Member(0, "stackTrace"));
    }

    [Fact]
    public void Without_monitor_or_once_switched_off_nothing_is_reported()
    {
        KitSDK.Initialize(new KitConfig { ReportUncaughtErrors = true, EnableMonitor = false });
        Unhandled(Thrown("boom"));
        SwitchOn();
        KitSDK.Config.ReportUncaughtErrors = false;
        Unhandled(Thrown("boom"));
        Assert.Empty(_transport.Held);
    }

    [Fact]
    public void A_task_that_nobody_awaits_is_reported_and_stays_unobserved()
    {
        SwitchOn();
        bool? isObserved = null;
        EventHandler<UnobservedTaskExceptionEventArgs> game = (_, unobserved) => isObserved = unobserved.Observed;
        TaskScheduler.UnobservedTaskException += game;
        try
        {
            LoseTasks();
            for (int i = 0; i < 100 && isObserved == null; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= game;
        }
        Assert.False(isObserved);
        Assert.Equal("System.InvalidOperationException: lost", Member(0, "message"));
        Assert.Contains("LoseTasks", Member(0, "stackTrace"));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LoseTasks()
    {
        Task lost = Task.Run(() => throw new InvalidOperationException("lost"));
        ((IAsyncResult)lost).AsyncWaitHandle.WaitOne();
    }

    [Fact]
    public void The_same_exception_is_reported_once_whichever_hooks_it_comes_by()
    {
        SwitchOn();
        Exception same = Thrown("same");
        var both = new AggregateException(Thrown("other"), new AggregateException(same));
        UncaughtHooks.OnUnobserved(new UnobservedTaskExceptionEventArgs(both));
        Unhandled(same);
        Unhandled(Thrown("same"));
        IEnumerable<string> told = _transport.Held.Select((_, at) => Member(at, "message").Split(": ")[1]);
        Assert.Equal(new[] { "other", "same", "same" }, told);
    }

    [Fact]
    public void Of_1000_errors_at_most_10_in_any_second_are_reported_and_the_next_report_counts_the_others()
    {
        SwitchOn();
        for (int i = 0; i < 1000; i++) Unhandled(Thrown("boom"));
        Assert.Equal(10, _transport.Held.Count);
        _nowMs += 999;
        Unhandled(Thrown("boom"));
        Assert.Equal(10, _transport.Held.Count);
        _nowMs += 1;
        for (int i = 0; i < 1000; i++) UncaughtErrors.Report("boom", "at here");
        Assert.Equal(20, _transport.Held.Count);
        Assert.Equal("at here\nUncaught errors not reported before this one: 991", Member(10, "stackTrace"));
        Assert.Equal("at here", Member(11, "stackTrace"));
    }

    [Fact]
    public void An_error_for_which_no_request_has_a_place_is_counted_too()
    {
        SwitchOn();
        for (int i = 0; i < 64; i++) KitSDK.Recording.TriggerEvent("mygame_many");
        UncaughtErrors.Report("a", "");
        UncaughtErrors.Report("b", "");
        _transport.Held[0].Settle();
        UncaughtErrors.Report("c", "");
        Assert.Equal(65, _transport.Held.Count);
        Assert.EndsWith("before this one: 2", Member(64, "stackTrace"));
    }

    [Fact]
    public void What_goes_wrong_while_an_error_is_reported_is_not_reported_and_reaches_nobody()
    {
        SwitchOn();
        Unhandled(new Hostile());
        _transport.Fault = new InvalidOperationException("no network");
        Unhandled(Thrown("unsent"));
        _transport.Fault = null;
        UncaughtErrors.Report("next", "");
        JsonElement only = JsonDocument.Parse(Assert.Single(_transport.Held).WriteBody()).RootElement;
        Assert.Equal("next", only.GetProperty("message").GetString());
        Assert.EndsWith("before this one: 2", only.GetProperty("stackTrace").GetString());
    }

    [Fact]
    public void Many_threads_at_once_keep_to_the_rate()
    {
        SwitchOn();
        Parallel.For(0, 1000, i => UncaughtErrors.Report($"error {i}", ""));
        Assert.Equal(10, _transport.Held.Count);
        _nowMs += 1000;
        UncaughtErrors.Report("next", "");
        Assert.EndsWith("before this one: 990", Member(10, "stackTrace"));
    }

    /// <summary>An exception that fails when it is read, and tells the hooks of that.</summary>
    private sealed class Hostile : Exception
    {
        public override string Message => Fail();

        public override string ToString() => Fail();

        private static string Fail()
        {
            Exception inner = Thrown("inner");
            Unhandled(inner);
            throw inner;
        }
    }
}
