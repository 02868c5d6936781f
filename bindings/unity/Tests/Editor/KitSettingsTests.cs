// Tests of the settings asset in the editor: its fields, its defaults, its page.
using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Kit.Tests
{
    internal sealed class KitSettingsTests
    {
        private KitSettings _settings;

        [SetUp]
        public void Make()
        {
            _settings = ScriptableObject.CreateInstance<KitSettings>();
        }

        [TearDown]
        public void Destroy()
        {
            Object.DestroyImmediate(_settings);
        }

        [Test]
        public void ANewAssetHasTheDefaults()
        {
            var defaults = new KitConfig();
            KitConfig config = _settings.ToConfig();
            Assert.That(config.LauncherUrl, Is.EqualTo(defaults.LauncherUrl));
            Assert.That(config.EnableRecording && config.EnableMonitor && config.EnableSocial);
            Assert.That(config.ReportUncaughtErrors, Is.False);
        }

        [Test]
        public void TheGameGetsTheEditedSettings()
        {
            using (var edited = new SerializedObject(_settings))
            {
                edited.FindProperty("launcherUrl").stringValue = "http://127.0.0.1:9999";
                edited.FindProperty("enableRecording").boolValue = false;
                edited.FindProperty("enableMonitor").boolValue = false;
                edited.FindProperty("enableSocial").boolValue = false;
                edited.FindProperty("build").stringValue = "1.5-demo";
                edited.FindProperty("reportUncaughtErrors").boolValue = true;
                edited.ApplyModifiedProperties();
            }
            KitConfig config = _settings.ToConfig();
            Assert.That(config.LauncherUrl, Is.EqualTo("http://127.0.0.1:9999"));
            Assert.That(config.EnableRecording || config.EnableMonitor || config.EnableSocial, Is.False);
            Assert.That(config.Build, Is.EqualTo("1.5-demo"));
            Assert.That(config.ReportUncaughtErrors);
        }

        [Test]
        public void ThePageIsInTheProjectSettings()
        {
            SettingsProvider page = KitSettingsProvider.Create();
            Assert.That(page.settingsPath, Is.EqualTo("Project/Kit"));
            Assert.That(page.scope, Is.EqualTo(SettingsScope.Project));
        }
    }
}
