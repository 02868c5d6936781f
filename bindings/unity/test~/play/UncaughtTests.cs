// Tests of exceptions that nobody caught, which the engine logs.
using System;
using System.Linq;
using System.Threading;
using Kit;
using NUnit.Framework;

namespace StandIn.Play
{
    internal sealed class UncaughtTests : PlayTest
    {
        private static void Start(TestLauncher launcher, bool reports = true)
        {
            Player.Start(() => KitSDK.Initialize(new KitConfig { LauncherUrl = launcher.Url, ReportUncaughtErrors = reports }));
        }

        private static void Throw()
        {
            throw new InvalidOperationException("boom");
        }

        private static void ExpectLog(params string[] lines)
        {
            Assert.That(Player.TakeProblems().Select(line => line.Split('\n')[0].TrimEnd()), Is.EqualTo(lines));
        }

        [Test]
        public void OffByDefaultNobodyListensToTheLog()
        {
            Player.Start();
            Assert.That(KitSDK.Config.ReportUncaughtErrors, Is.False);
            Assert.That(Player.LogHandlers, Is.EqualTo(0));
        }

        [Test]
        public void AnExceptionOfAScriptIsReportedOnceWithItsStack()
        {
            using (var launcher = new TestLauncher())
            {
                Start(launcher);
                Player.Frame(Throw);
                Player.FramesUntil("the report", () => launcher.CountOf("\"message\":\"InvalidOperationException: boom\"") == 1);
                Assert.That(launcher.CountOf("UncaughtTests.Throw"), Is.EqualTo(1));
                ExpectLog("exception: System.InvalidOperationException: boom");
            }
        }

        [Test]
        public void OnlyExceptionsAreReported()
        {
            using (var launcher = new TestLauncher())
            {
                Start(launcher);
                UnityEngine.Debug.Log("a log");
                UnityEngine.Debug.LogWarning("a warning");
                UnityEngine.Debug.LogError("an error");
                KitSDK.Recording.TriggerEvent("after_them");
                Player.FramesUntil("the event", () => launcher.CountOf("after_them") == 1);
                Assert.That(launcher.Requests.Length, Is.EqualTo(1));
                ExpectLog("warning: a warning", "error: an error");
            }
        }

        [Test]
        public void TheSettingsAssetSwitchesItOn()
        {
            using (var launcher = new TestLauncher())
            {
                MainThread.Claim();
                PutSettings(launcher.Url);
                UnityEngine.Resources.Load<KitSettings>("KitSettings").reportUncaughtErrors = true;
                Player.Start(Throw);
                Player.FramesUntil("the report", () => launcher.CountOf("boom") == 1);
                ExpectLog("exception: System.InvalidOperationException: boom");
            }
        }

        [Test]
        public void ThePlayAfterItStartsWithoutAHandlerAndNoPlayLeavesOne()
        {
            using (var launcher = new TestLauncher())
            {
                Start(launcher);
                KitSDK.Initialize(KitSDK.Config);
                Assert.That(Player.LogHandlers, Is.EqualTo(1));
                Player.Quit();
                Assert.That(Player.LogHandlers, Is.EqualTo(0), "after the play");
                Player.Start();
                Assert.That(Player.LogHandlers, Is.EqualTo(0), "in the next play");
            }
        }

        [Test]
        public void AnExceptionOfTheLastFrameIsSentBeforeTheGameEnds()
        {
            using (var launcher = new TestLauncher())
            {
                Start(launcher);
                KitSDK.Recording.TriggerEvent("first");
                Player.FramesUntil("the first event", () => launcher.CountOf("first") == 1);
                Player.Frame(Throw);
                Player.Quit();
#if !UNITY_WEBGL || UNITY_EDITOR
                Assert.That(launcher.CountOf("boom"), Is.EqualTo(1));
#endif
                ExpectLog("exception: System.InvalidOperationException: boom");
            }
        }

        [Test]
        public void ExceptionsOfManyThreadsKeepToTheRate()
        {
            using (var launcher = new TestLauncher())
            {
                Start(launcher);
                Thread[] threads = Enumerable.Range(1, 4).Select(_ => new Thread(LogMany)).ToArray();
                foreach (Thread thread in threads) thread.Start();
                foreach (Thread thread in threads) thread.Join();
                Player.FramesUntil("ten reports", () => launcher.CountOf("boom") >= 10);
                Assert.That(launcher.CountOf("boom"), Is.LessThan(30), "of 400");
                Player.TakeProblems();
            }
        }

        private static void LogMany()
        {
            for (int i = 0; i < 100; i++) UnityEngine.Debug.LogException(new InvalidOperationException("boom"));
        }
    }
}
