// Tests of code in a game's own assembly: the sample, and every line of the README.
using System;
using System.IO;
using System.Reflection;
using Kit;
using NUnit.Framework;
using UnityEngine;

namespace StandIn.Play
{
    internal sealed class GameCodeTests : PlayTest
    {
        private static readonly Assembly s_game =
            Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Assembly-CSharp.dll"));

        private static void Run(string block)
        {
            s_game.GetType("Readme", true).GetMethod(block).Invoke(null, null);
        }

        [Test]
        public void TheSamplesButtonsSendTheirEvents()
        {
            using (var launcher = new TestLauncher())
            {
                Player.Start(() => KitSDK.Initialize(new KitConfig { LauncherUrl = launcher.Url }));
                Type type = s_game.GetType("ThreeOperations", true);
                object sample = Activator.CreateInstance(type);
                MethodInfo draw = type.GetMethod("OnGUI", BindingFlags.Instance | BindingFlags.NonPublic);
                draw.Invoke(sample, null);
                foreach (string button in new[] { "A clip", "An error report", "A post" })
                {
                    GUILayout.Pressed = button;
                    draw.Invoke(sample, null);
                    Assert.That(GUILayout.Pressed, Is.Null, button);
                }
                Player.FramesUntil("three requests", () => launcher.Requests.Length == 3);
                Assert.That(launcher.CountOf("{\"eventId\":\"mygame_boss_defeated\""), Is.EqualTo(1));
                Assert.That(launcher.CountOf("{\"message\":\"The save file is damaged\",\"stackTrace\":\"  "), Is.EqualTo(1));
                Assert.That(launcher.CountOf(" at ThreeOperations.ReportAnError"), Is.EqualTo(1));
                Assert.That(launcher.CountOf("{\"eventId\":\"mygame_all_stars\""), Is.EqualTo(1));
            }
        }

        [Test]
        public void TheFirstLinesOfTheReadmeSend()
        {
            using (var launcher = new TestLauncher())
            {
                MainThread.Claim();
                PutSettings(launcher.Url);
                Player.Start(() => Run("Block1"));
                Player.FramesUntil("three requests", () => launcher.Requests.Length == 3);
                Assert.That(launcher.CountOf("POST /api/recording/trigger "), Is.EqualTo(1));
                Assert.That(launcher.CountOf("POST /api/monitor/report "), Is.EqualTo(1));
                Assert.That(launcher.CountOf("POST /api/social/trigger "), Is.EqualTo(1));
            }
        }

        [Test]
        public void TheReadmesManualStartSetsTheAddress()
        {
            Player.Start(() => Run("Block2"));
            Assert.That(KitSDK.Config.LauncherUrl, Is.EqualTo("http://127.0.0.1:9877"));
            Assert.That(KitSDK.Config.EnableSocial, Is.False);
            Assert.That(KitSDK.Config.EnableRecording && KitSDK.Config.EnableMonitor);
        }
    }
}
