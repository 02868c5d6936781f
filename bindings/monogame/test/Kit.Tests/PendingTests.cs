// Tests of pending requests: how many may wait, and how long a quitting game waits for them.
using System.Diagnostics;
using Xunit;

namespace Kit.Tests;

public sealed class PendingTests
{
    private readonly HeldTransport _transport = new();

    [Fact]
    public void The_first_64_requests_are_kept_and_newer_ones_dropped()
    {
        for (int i = 1; i <= 100; i++) KitSDK.Recording.TriggerEvent($"mygame_{i}");
        Assert.Equal(64, _transport.Held.Count);
        Assert.Equal("mygame_1", _transport.Body(0).GetProperty("eventId").GetString());
        Assert.Equal("mygame_64", _transport.Body(63).GetProperty("eventId").GetString());
    }

    [Fact]
    public void A_settled_request_frees_one_place_only_once()
    {
        for (int i = 0; i < 64; i++) KitSDK.Recording.TriggerEvent("mygame_many");
        _transport.Held[0].Settle();
        _transport.Held[0].Settle();
        KitSDK.Recording.TriggerEvent("mygame_next");
        KitSDK.Recording.TriggerEvent("mygame_dropped");
        Assert.Equal(65, _transport.Held.Count);
    }

    [Fact]
    public void A_transport_that_throws_neither_reaches_the_game_nor_uses_up_places()
    {
        _transport.Fault = new InvalidOperationException("no network");
        for (int i = 0; i < 100; i++) KitSDK.Social.TriggerEvent("mygame_stars");
        _transport.Fault = null;
        KitSDK.Social.TriggerEvent("mygame_stars");
        Assert.Single(_transport.Held);
    }

    [Fact]
    public void Calls_beyond_the_limit_keep_no_memory()
    {
        for (int i = 0; i < 64; i++) KitSDK.Recording.TriggerEvent("mygame_many");
        long before = GC.GetTotalMemory(forceFullCollection: true);
        for (int i = 0; i < 100_000; i++) KitSDK.Monitor.ReportError($"error {i}", new string('x', 100));
        long grown = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.Equal(64, _transport.Held.Count);
        Assert.InRange(grown, long.MinValue, 256 * 1024);
    }

    [Fact]
    public void A_game_that_quits_with_nothing_pending_does_not_wait()
    {
        KitSDK.Recording.TriggerEvent("mygame_start");
        _transport.SettleAll();
        Assert.InRange(TimeOf(KitSDK.WaitAtQuit), 0, 50);
    }

    [Fact]
    public void A_quitting_game_waits_until_the_last_request_is_settled()
    {
        KitSDK.Recording.TriggerEvent("mygame_start");
        Thread quitting = Thread.CurrentThread;
        bool settled = false;
        var settling = new Thread(() =>
        {
            while ((quitting.ThreadState & System.Threading.ThreadState.WaitSleepJoin) == 0) Thread.Yield();
            Volatile.Write(ref settled, true);
            _transport.SettleAll();
        });
        settling.Start();
        long waitedMs = TimeOf(KitSDK.WaitAtQuit);
        Assert.True(Volatile.Read(ref settled), "it did not wait");
        Assert.InRange(waitedMs, 0, 245);
        settling.Join();
    }

    [Fact]
    public void All_waits_of_a_quitting_game_together_take_at_most_250_ms()
    {
        KitSDK.Recording.TriggerEvent("mygame_start");
        Assert.InRange(TimeOf(KitSDK.WaitAtQuit), 240, 400);
        Assert.InRange(TimeOf(KitSDK.WaitAtQuit), 0, 50);
    }

    [Fact]
    public void A_game_does_not_wait_where_waiting_is_impossible()
    {
        KitSDK.WaitsAtQuit = false;
        try
        {
            KitSDK.Recording.TriggerEvent("mygame_start");
            Assert.InRange(TimeOf(KitSDK.WaitAtQuit), 0, 50);
        }
        finally
        {
            KitSDK.WaitsAtQuit = true;
        }
    }

    [Fact]
    public void Many_threads_at_once_keep_to_the_limit()
    {
        var counting = new CountingTransport();
        KitSDK.Reset();
        KitSDK.Transport = counting;
        Parallel.For(0, 20_000, _ => KitSDK.Recording.TriggerEvent("mygame_many"));
        Assert.InRange(counting.MostAtOnce, 1, 64);
        Assert.InRange(TimeOf(KitSDK.WaitAtQuit), 0, 50);
    }

    private static long TimeOf(Action action)
    {
        var clock = Stopwatch.StartNew();
        action();
        return clock.ElapsedMilliseconds;
    }

    /// <summary>Settles each request a little later, on the thread of the call.</summary>
    private sealed class CountingTransport : IKitTransport
    {
        private int _now;
        private int _most;

        internal int MostAtOnce => _most;

        public void Send(KitRequest request)
        {
            int now = Interlocked.Increment(ref _now);
            for (int most = _most; now > most; most = _most) Interlocked.CompareExchange(ref _most, now, most);
            Thread.SpinWait(50);
            Interlocked.Decrement(ref _now);
            request.Settle();
        }
    }
}
