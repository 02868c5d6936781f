// Tests of the settings page in the editor, and that an editor sends as a desktop game does on every platform.
#if UNITY_EDITOR
using Kit;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace StandIn.Play
{
    internal sealed class EditorTests : PlayTest
    {
        [SetUp]
        public void OpenTheWindow()
        {
            MainThread.Claim();
            AssetDatabase.Folders.Remove("Assets/Resources");
            EditorGUILayout.Typed.Clear();
        }

        private static string[] Draw()
        {
            EditorGUILayout.Drawn.Clear();
            KitSettingsProvider.Create().guiHandler("");
            return EditorGUILayout.Drawn.ToArray();
        }

        [Test]
        public void WithoutAnAssetThePageOffersToCreateOne()
        {
            Assert.That(Draw(), Has.Length.EqualTo(1));
            Assert.That(EditorGUILayout.Drawn[0], Does.Contain("Assets/Resources/KitSettings.asset"));
            GUILayout.Pressed = "Create settings asset";
            Draw();
            Assert.That(Resources.Load<KitSettings>("KitSettings") != null);
            string[] fields =
            {
                "Launcher URL", "Enable Recording", "Enable Monitor", "Enable Social", "Build", "Report Uncaught Errors",
            };
            Assert.That(Draw(), Is.EqualTo(fields));
        }

        [Test]
        public void DrawingThePageCreatesNothingInTheProject()
        {
            Draw();
            Assert.That(Resources.Load<KitSettings>("KitSettings") == null);
        }

        [Test]
        public void TheNextPlayUsesTheSettingsTypedIntoThePage()
        {
            KitSettingsProvider.CreateAsset();
            EditorGUILayout.Typed["Launcher URL"] = "http://127.0.0.1:9006";
            EditorGUILayout.Typed["Enable Recording"] = false;
            Draw();
            Player.Start();
            Assert.That(KitSDK.Config.LauncherUrl, Is.EqualTo("http://127.0.0.1:9006"));
            Assert.That(KitSDK.Config.EnableRecording, Is.False);
            Assert.That(KitSDK.Config.EnableMonitor && KitSDK.Config.EnableSocial);
        }

        [Test]
        public void AnEditorSendsWithoutUnityWebRequest()
        {
            using (var launcher = new TestLauncher())
            {
                int before = WebRequests.Made;
                Player.Start(() => KitSDK.Initialize(new KitConfig { LauncherUrl = launcher.Url }));
                KitSDK.Recording.TriggerEvent("from_the_editor");
                Player.FramesUntil("one event", () => launcher.CountOf("from_the_editor") == 1);
                Assert.That(WebRequests.Made, Is.EqualTo(before));
            }
        }
    }
}
#endif
