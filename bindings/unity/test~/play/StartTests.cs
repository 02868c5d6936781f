// Tests of the start of Kit: when it happens, with which settings, and that a play keeps nothing of the last one.
using System.Threading;
using Kit;
using NUnit.Framework;

namespace StandIn.Play
{
    internal sealed class StartTests : PlayTest
    {
        [Test]
        public void TheProjectSettingsAreInUseBeforeTheFirstAwake()
        {
            MainThread.Claim();
            PutSettings("http://127.0.0.1:9001", enableSocial: false);
            string seen = null;
            Player.Start(() => seen = KitSDK.IsInitialized + " " + KitSDK.Config.LauncherUrl + " " + KitSDK.Config.EnableSocial);
            Assert.That(seen, Is.EqualTo("True http://127.0.0.1:9001 False"));
        }

        [Test]
        public void WithoutASettingsAssetTheDefaultsAreInUse()
        {
            Player.Start();
            Assert.That(KitSDK.IsInitialized);
            Assert.That(KitSDK.Config.LauncherUrl, Is.EqualTo("http://127.0.0.1:9876"));
            Assert.That(KitSDK.Config.EnableRecording && KitSDK.Config.EnableMonitor && KitSDK.Config.EnableSocial);
        }

        [Test]
        public void TheBuildIsThePlayersVersionWithWhatTheSettingsAdd()
        {
            Player.Start();
            Assert.That(KitSDK.Config.Build, Is.EqualTo("1.4.2"));
            KitSDK.Initialize(new KitConfig { Build = "1.5" });
            Assert.That(KitSDK.Config.Build, Is.EqualTo("1.5"));
            Player.Quit();
            foreach (string build in new[] { "{version}-demo", "" })
            {
                MainThread.Claim();
                PutSettings("http://127.0.0.1:9001", build: build);
                Player.Start();
                Assert.That(KitSDK.Config.Build, Is.EqualTo(build.Replace("{version}", "1.4.2")));
                Player.Quit();
            }
        }

        [Test]
        public void AGamesOwnInitializeIsKeptIfItRunsFirst()
        {
            EarlyGame.OnAssembliesLoaded = () => KitSDK.Initialize(new KitConfig { LauncherUrl = "http://127.0.0.1:9002" });
            Player.Start();
            Assert.That(KitSDK.Config.LauncherUrl, Is.EqualTo("http://127.0.0.1:9002"));
        }

        [Test]
        public void AGamesOwnInitializeTakesEffectIfItRunsLater()
        {
            Player.Start(() => KitSDK.Initialize(new KitConfig { LauncherUrl = "http://127.0.0.1:9003" }));
            Assert.That(KitSDK.Config.LauncherUrl, Is.EqualTo("http://127.0.0.1:9003"));
        }

        [Test]
        public void ACallBeforeTheStartKeepsTheProjectSettings()
        {
            MainThread.Claim();
            PutSettings("http://127.0.0.1:9004");
            EarlyGame.OnAssembliesLoaded = () => KitSDK.Monitor.ReportError("");
            Player.Start();
            Assert.That(KitSDK.Config.LauncherUrl, Is.EqualTo("http://127.0.0.1:9004"));
        }

        [Test]
        public void ASecondPlayStartsAnewWithoutADomainReload()
        {
            Player.Start();
            KitSDK.Initialize(new KitConfig { LauncherUrl = "http://127.0.0.1:9005", EnableMonitor = false });
            Player.Quit();
            bool wasInitialized = true;
            EarlyGame.OnAssembliesLoaded = () => wasInitialized = KitSDK.IsInitialized;
            Player.Start();
            Assert.That(wasInitialized, Is.False, "before the second start");
            Assert.That(KitSDK.Config.LauncherUrl, Is.EqualTo("http://127.0.0.1:9876"));
            Assert.That(KitSDK.Config.EnableMonitor);
        }

        [Test]
        public void ASecondPlayDoesNotDoubleHandlers()
        {
            Player.Start();
            int once = Player.QuittingHandlers;
            Player.Quit();
            Player.Start();
            Assert.That(Player.QuittingHandlers, Is.EqualTo(once));
            Assert.That(once, Is.EqualTo(1));
        }

        [Test]
        public void ASecondPlaySends()
        {
            using (var launcher = new TestLauncher())
            {
                for (int play = 1; play <= 2; play++)
                {
                    MainThread.Claim();
                    PutSettings(launcher.Url);
                    Player.Start();
                    KitSDK.Recording.TriggerEvent("play_" + play);
                    Player.FramesUntil("play " + play, () => launcher.CountOf("play_" + play) == 1);
                    Player.Quit();
                }
                Assert.That(launcher.Requests.Length, Is.EqualTo(2));
            }
        }

        [Test]
        public void CallsFromOtherThreadsArriveAndDoNotThrow()
        {
            using (var launcher = new TestLauncher())
            {
                int thrown = 0;
                Player.Start(() => KitSDK.Initialize(new KitConfig { LauncherUrl = launcher.Url }));
                for (int i = 0; i < 8; i++)
                {
                    string id = "thread_" + i;
                    var thread = new Thread(() =>
                    {
                        try
                        {
                            KitSDK.Social.TriggerEvent(id);
                        }
                        catch
                        {
                            Interlocked.Increment(ref thrown);
                        }
                    });
                    thread.Start();
                    thread.Join();
                }
                Player.FramesUntil("eight events", () => launcher.CountOf("thread_") == 8);
                Assert.That(thrown, Is.EqualTo(0));
            }
        }
    }
}
