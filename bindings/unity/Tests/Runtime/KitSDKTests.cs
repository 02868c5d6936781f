// Tests that a project can run in the Test Runner: the three operations, the switches, and the start of a play.
using System.Linq;
using NUnit.Framework;

namespace Kit.Tests
{
    internal sealed class KitSDKTests
    {
        private LauncherForTests _launcher;

        [SetUp]
        public void Open()
        {
            _launcher = new LauncherForTests();
            KitSDK.Initialize(new KitConfig { LauncherUrl = _launcher.Url });
        }

        [TearDown]
        public void Close()
        {
            _launcher.Dispose();
            KitStartup.Forget();
            KitStartup.Begin();
        }

        [Test]
        public void EachOperationSendsOneRequestToItsOwnPath()
        {
            KitSDK.Recording.TriggerEvent("test_boss_defeated");
            KitSDK.Monitor.ReportError("door stuck", "at Door.Open()");
            KitSDK.Social.TriggerEvent("test_all_stars");
            string[] requests = _launcher.Await(3);
            Assert.That(requests.Count(request => Matches(request, "/api/recording/trigger", "\"eventId\":\"test_boss_defeated\"")) == 1);
            Assert.That(requests.Count(request => Matches(request, "/api/monitor/report", "\"stackTrace\":\"at Door.Open()\"")) == 1);
            Assert.That(requests.Count(request => Matches(request, "/api/social/trigger", "\"eventId\":\"test_all_stars\"")) == 1);
        }

        [Test]
        public void AnErrorWithoutStackTraceHasAnEmptyOne()
        {
            KitSDK.Monitor.ReportError("door stuck");
            Assert.That(Matches(_launcher.Await(1)[0], "/api/monitor/report", "\"stackTrace\":\"\""));
        }

        [Test]
        public void ADisabledOperationSendsNothing()
        {
            KitSDK.Initialize(new KitConfig { LauncherUrl = _launcher.Url, EnableSocial = false });
            KitSDK.Social.TriggerEvent("test_all_stars");
            KitSDK.Recording.TriggerEvent("test_boss_defeated");
            string[] requests = _launcher.Await(1);
            Assert.That(Matches(requests[0], "/api/recording/trigger", "test_boss_defeated"));
            Assert.That(_launcher.Requests.Length, Is.EqualTo(1));
        }

        [Test]
        public void WithoutALauncherNothingThrows()
        {
            _launcher.Dispose();
            Assert.DoesNotThrow(() => KitSDK.Recording.TriggerEvent("test_boss_defeated"));
            Assert.DoesNotThrow(() => KitSDK.Monitor.ReportError(null));
            Assert.DoesNotThrow(() => KitSDK.Social.TriggerEvent(""));
        }

        [Test]
        public void APlayStartsWithTheProjectSettingsWhateverTheLastOneUsed()
        {
            KitSDK.Initialize(new KitConfig { EnableRecording = false, EnableMonitor = false });
            KitStartup.Forget();
            Assert.That(KitSDK.IsInitialized, Is.False);
            KitStartup.Begin();
            KitConfig expected = KitSettings.LoadConfig();
            Assert.That(KitSDK.IsInitialized);
            Assert.That(KitSDK.Config.EnableRecording, Is.EqualTo(expected.EnableRecording));
            Assert.That(KitSDK.Config.EnableMonitor, Is.EqualTo(expected.EnableMonitor));
        }

        private static bool Matches(string request, string path, string part)
        {
            return request.StartsWith(path + " ") && request.Contains(part);
        }
    }
}
