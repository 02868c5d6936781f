// Tests of Kit in a web page: it sends with UnityWebRequest on the main thread, disposes of all, and never waits.
#if UNITY_WEBGL && !UNITY_EDITOR
using System.Linq;
using System.Threading;
using Kit;
using NUnit.Framework;

namespace StandIn.Play
{
    internal sealed class WebTests : PlayTest
    {
        [TearDown]
        public void EveryRequestIsDisposedOf()
        {
            Assert.That(WebRequests.Undisposed, Is.EqualTo(0), "undisposed UnityWebRequests");
        }

        private static TestLauncher Begin(Answer answer = Answer.Accepted)
        {
            var launcher = new TestLauncher(answer);
            Player.Start(() => KitSDK.Initialize(new KitConfig { LauncherUrl = launcher.Url }));
            return launcher;
        }

        private static void UntilDisposed()
        {
            Player.FramesUntil("all requests disposed of", () => WebRequests.Undisposed == 0);
        }

        [Test]
        public void ACallSendsAtOnceAndNeedsNoThread()
        {
            using (TestLauncher launcher = Begin())
            {
                int before = WebRequests.Made;
                KitSDK.Monitor.ReportError("door stuck", "at Door");
                Assert.That(WebRequests.Made, Is.EqualTo(before + 1), "made within the call itself");
                UntilDisposed();
                string request = launcher.Requests.Single();
                Assert.That(request, Does.StartWith("POST /api/monitor/report HTTP/1.1\r\n"));
                Assert.That(request, Does.Contain("\r\nContent-Type: application/json\r\n"));
                Assert.That(request, Does.Contain("{\"message\":\"door stuck\",\"stackTrace\":\"at Door\",\"build\":\"1.4.2\",\"timestamp\":\""));
            }
        }

        [Test]
        public void CallsFromOtherThreadsAreSentByTheMainThread()
        {
            using (TestLauncher launcher = Begin())
            {
                int before = WebRequests.Made;
                int thrown = 0;
                var threads = Enumerable.Range(0, 8).Select(i => new Thread(() =>
                {
                    try
                    {
                        KitSDK.Recording.TriggerEvent("web_thread_" + i);
                    }
                    catch
                    {
                        Interlocked.Increment(ref thrown);
                    }
                })).ToArray();
                foreach (Thread thread in threads) thread.Start();
                foreach (Thread thread in threads) thread.Join();
                Assert.That(WebRequests.Made, Is.EqualTo(before), "none made off the main thread");
                Player.FramesUntil("eight events", () => launcher.CountOf("web_thread_") == 8);
                Assert.That(thrown, Is.EqualTo(0));
                UntilDisposed();
            }
        }

        [Test]
        public void AnEndlessAnswerIsAborted()
        {
            using (TestLauncher launcher = Begin(Answer.Endless))
            {
                long before = WebRequests.BytesTaken;
                KitSDK.Recording.TriggerEvent("web_flood");
                UntilDisposed();
                Assert.That(launcher.CountOf("web_flood"), Is.EqualTo(1));
                Assert.That(WebRequests.BytesTaken - before, Is.InRange(1, 32 * 1024));
            }
        }

        [Test]
        public void ARequestWithoutAnswerIsGivenUp()
        {
            using (Begin(Answer.None))
            {
                KitSDK.Recording.TriggerEvent("web_hung");
                Player.Frame();
                Assert.That(WebRequests.Undisposed, Is.EqualTo(1), "still under way");
                UntilDisposed();
            }
        }

        [Test]
        public void ARedirectIsNotFollowed()
        {
            using (TestLauncher launcher = Begin(Answer.Redirect))
            {
                KitSDK.Recording.TriggerEvent("web_redirect");
                UntilDisposed();
                Assert.That(launcher.CountOf("/elsewhere"), Is.EqualTo(0));
                Assert.That(launcher.Requests.Length, Is.EqualTo(1));
            }
        }

        [Test]
        public void ARequestRefusedByTheEngineFreesItsPlace()
        {
            using (TestLauncher launcher = Begin())
            {
                // Another machine over plain HTTP, for which the engine throws. More requests than there are places.
                KitSDK.Initialize(new KitConfig { LauncherUrl = "http://192.0.2.1:9876" });
                for (int i = 0; i < 100; i++) KitSDK.Recording.TriggerEvent("web_refused");
                Assert.That(WebRequests.Undisposed, Is.EqualTo(0));
                KitSDK.Initialize(new KitConfig { LauncherUrl = launcher.Url });
                KitSDK.Recording.TriggerEvent("web_after");
                Player.FramesUntil("the next event", () => launcher.CountOf("web_after") == 1);
                UntilDisposed();
            }
        }

        [Test]
        public void NoMoreThan64RequestsAreMadeAtATime()
        {
            using (Begin(Answer.None))
            {
                for (int i = 0; i < 100; i++) KitSDK.Recording.TriggerEvent("web_burst");
                Assert.That(WebRequests.Undisposed, Is.EqualTo(64));
                UntilDisposed();
            }
        }

        [Test]
        public void QuittingDoesNotWait()
        {
            using (Begin(Answer.None))
            {
                KitSDK.Recording.TriggerEvent("web_quit");
                var watch = System.Diagnostics.Stopwatch.StartNew();
                Player.Quit();
                Assert.That(watch.ElapsedMilliseconds, Is.LessThan(200));
                UntilDisposed();
            }
        }
    }
}
#endif
