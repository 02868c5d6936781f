// The start and the end of every test of the stand-in: a project without settings, and a game that logged nothing.
using Kit;
using NUnit.Framework;
using UnityEngine;

namespace StandIn.Play
{
    internal abstract class PlayTest
    {
        private IKitTransport _usual;

        protected HeldTransport Sent { get; private set; }

        [SetUp]
        public void Clean()
        {
            Player.PutResource("KitSettings", null);
            EarlyGame.OnAssembliesLoaded = null;
            _usual = KitSDK.Transport;
            KitSDK.Transport = Sent = new HeldTransport();
            Player.TakeProblems();
        }

        [TearDown]
        public void LookAtTheLog()
        {
            if (Application.isPlaying) Player.Quit();
            KitSDK.Transport = _usual;
            Assert.That(Player.TakeProblems(), Is.Empty, "the game's log");
        }

        protected static void PutSettings(string launcherUrl, bool enableSocial = true, string build = "{version}")
        {
            KitSettings settings = ScriptableObject.CreateInstance<KitSettings>();
            settings.launcherUrl = launcherUrl;
            settings.enableSocial = enableSocial;
            settings.build = build;
            Player.PutResource("KitSettings", settings);
        }
    }
}
