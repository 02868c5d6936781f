// Tests of requests that are pending when the game quits.
#if !UNITY_WEBGL || UNITY_EDITOR
using System.Diagnostics;
using Kit;
using NUnit.Framework;

namespace StandIn.Play
{
    internal sealed class QuitTests : PlayTest
    {
        [Test]
        public void AnEventOfTheLastFrameIsSentBeforeTheGameEnds()
        {
            using (var launcher = new TestLauncher())
            {
                Player.Start(() => KitSDK.Initialize(new KitConfig { LauncherUrl = launcher.Url }));
                // The first request of a process may take longer than its end is delayed.
                KitSDK.Recording.TriggerEvent("quit_first");
                Player.FramesUntil("the first event", () => launcher.CountOf("quit_first") == 1);
                Player.Frame(() => KitSDK.Recording.TriggerEvent("quit_last_frame"));
                Player.Quit();
                Assert.That(launcher.CountOf("quit_last_frame"), Is.EqualTo(1));
            }
        }

        [Test]
        public void AHangingLauncherDelaysTheEndOnlyForAMoment()
        {
            using (var launcher = new TestLauncher(Answer.None))
            {
                Player.Start(() => KitSDK.Initialize(new KitConfig { LauncherUrl = launcher.Url }));
                KitSDK.Recording.TriggerEvent("quit_hung");
                Stopwatch watch = Stopwatch.StartNew();
                Player.Quit();
                // 250 ms are promised; the rest is for a busy machine. Without a limit it would be five seconds.
                Assert.That(watch.ElapsedMilliseconds, Is.LessThan(1500));
                Assert.That(watch.ElapsedMilliseconds, Is.GreaterThan(200), "the game waited");
            }
        }
    }
}
#endif
