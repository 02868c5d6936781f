// Tests of Kit's listening to the engine's log: when it does, and to what.
using System;
using System.Linq;
using Kit;
using NUnit.Framework;
using UnityEngine;

namespace StandIn.Play
{
    internal sealed class UncaughtTests : PlayTest
    {
        private static void ExpectLog(params string[] lines)
        {
            Assert.That(Player.TakeProblems().Select(line => line.Split('\n')[0].TrimEnd()), Is.EqualTo(lines));
        }

        [Test]
        public void OffByDefaultNobodyListensToTheLog()
        {
            Player.Start();
            Assert.That(KitSDK.Config.ReportUncaughtErrors, Is.False);
            Assert.That(Application.LogHandlers, Is.EqualTo(0));
        }

        [Test]
        public void TheSettingsAssetSwitchesItOnForExceptionsOnly()
        {
            MainThread.Claim();
            PutSettings("http://127.0.0.1:9001");
            Resources.Load<KitSettings>("KitSettings").reportUncaughtErrors = true;
            Player.Start(() => throw new InvalidOperationException("boom"));
            Debug.Log("a log");
            Debug.LogWarning("a warning");
            Debug.LogError("an error");
            Assert.That(Sent.CountOf("\"message\":\"InvalidOperationException: boom\""), Is.EqualTo(1));
            Assert.That(Sent.CountOf(""), Is.EqualTo(1));
            ExpectLog("exception: System.InvalidOperationException: boom", "warning: a warning", "error: an error");
        }

        [Test]
        public void ThePlayAfterItStartsWithoutAHandlerAndNoPlayLeavesOne()
        {
            Player.Start(() => KitSDK.Initialize(new KitConfig { ReportUncaughtErrors = true }));
            KitSDK.Initialize(KitSDK.Config);
            Assert.That(Application.LogHandlers, Is.EqualTo(1));
            Player.Quit();
            Assert.That(Application.LogHandlers, Is.EqualTo(0), "after the play");
            Player.Start();
            Assert.That(Application.LogHandlers, Is.EqualTo(0), "in the next play");
        }
    }
}
