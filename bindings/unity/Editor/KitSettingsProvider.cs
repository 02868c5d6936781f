// The page "Kit" in Project Settings: makes the settings asset and edits it.
using UnityEditor;
using UnityEngine;

namespace Kit
{
    internal static class KitSettingsProvider
    {
        internal const string PagePath = "Project/Kit";
        internal const string CreateLabel = "Create settings asset";
        private const string ResourcesFolder = "Assets/Resources";
        internal const string AssetPath = ResourcesFolder + "/" + KitSettings.ResourceName + ".asset";

        [SettingsProvider]
        internal static SettingsProvider Create()
        {
            return new SettingsProvider(PagePath, SettingsScope.Project)
            {
                label = "Kit",
                guiHandler = _ => Draw(),
                keywords = new[] { "Kit", "Launcher", "Recording", "Monitor", "Social", "Build", "Uncaught Errors" },
            };
        }

        private static void Draw()
        {
            // Wherever it lies: the game looks it up in the same way.
            KitSettings settings = Resources.Load<KitSettings>(KitSettings.ResourceName);
            if (settings == null) DrawOffer();
            else DrawFields(settings);
        }

        private static void DrawOffer()
        {
            EditorGUILayout.HelpBox(
                "Kit starts with its defaults. To change them, create " + AssetPath + ".", MessageType.Info);
            if (GUILayout.Button(CreateLabel)) CreateAsset();
        }

        private static void DrawFields(KitSettings settings)
        {
            var edited = new SerializedObject(settings);
            DrawField(edited, nameof(KitSettings.launcherUrl), "Launcher URL");
            DrawField(edited, nameof(KitSettings.enableRecording), "Enable Recording");
            DrawField(edited, nameof(KitSettings.enableMonitor), "Enable Monitor");
            DrawField(edited, nameof(KitSettings.enableSocial), "Enable Social");
            DrawField(edited, nameof(KitSettings.build), "Build");
            DrawField(edited, nameof(KitSettings.reportUncaughtErrors), "Report Uncaught Errors");
            edited.ApplyModifiedProperties();
        }

        private static void DrawField(SerializedObject edited, string field, string label)
        {
            SerializedProperty property = edited.FindProperty(field);
            EditorGUILayout.PropertyField(property, new GUIContent(label, property.tooltip));
        }

        /// <summary>Makes the asset with the defaults, and its folder where there is none.</summary>
        internal static KitSettings CreateAsset()
        {
            if (!AssetDatabase.IsValidFolder(ResourcesFolder)) AssetDatabase.CreateFolder("Assets", "Resources");
            KitSettings settings = ScriptableObject.CreateInstance<KitSettings>();
            AssetDatabase.CreateAsset(settings, AssetPath);
            AssetDatabase.SaveAssets();
            return settings;
        }
    }
}
