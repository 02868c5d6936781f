// Tests of the start of Kit: when it happens, with which settings, and that a play keeps nothing of the last one.
using Kit;
using NUnit.Framework;
using UnityEngine;

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
            KitSDK.Monitor.ReportError("in the second play");
            Assert.That(Sent.CountOf("in the second play"), Is.EqualTo(1));
        }

        [Test]
        public void ASecondPlayDoesNotDoubleHandlers()
        {
            Player.Start();
            int once = Application.QuittingHandlers;
            Player.Quit();
            Player.Start();
            Assert.That(Application.QuittingHandlers, Is.EqualTo(once));
            Assert.That(once, Is.EqualTo(1));
        }
    }
}
