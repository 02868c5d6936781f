// What the package names of UnityEditor, so that it can be compiled. Nothing here is called.
using System;
using System.Collections.Generic;
using UnityEngine;

namespace UnityEditor
{
    public enum SettingsScope
    {
        User,
        Project,
    }

    public enum MessageType
    {
        None,
        Info,
        Warning,
        Error,
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class SettingsProviderAttribute : Attribute
    {
    }

    public class SettingsProvider
    {
        public SettingsProvider(string path, SettingsScope scopes, IEnumerable<string> keywords = null)
        {
        }

        public string settingsPath { get; }

        public SettingsScope scope { get; }

        public string label { get; set; }

        public IEnumerable<string> keywords { get; set; }

        public Action<string> guiHandler { get; set; }
    }

    public class SerializedObject : IDisposable
    {
        public SerializedObject(UnityEngine.Object obj)
        {
        }

        public SerializedProperty FindProperty(string propertyPath) => throw new NotSupportedException();

        public bool ApplyModifiedProperties() => throw new NotSupportedException();

        public void Dispose() => throw new NotSupportedException();
    }

    public class SerializedProperty
    {
        public string tooltip { get; }

        public string stringValue { get; set; }

        public bool boolValue { get; set; }
    }

    public static class EditorGUILayout
    {
        public static bool PropertyField(SerializedProperty property, GUIContent label, params GUILayoutOption[] options) =>
            throw new NotSupportedException();

        public static void HelpBox(string message, MessageType type) => throw new NotSupportedException();
    }

    public static class AssetDatabase
    {
        public static bool IsValidFolder(string path) => throw new NotSupportedException();

        public static string CreateFolder(string parentFolder, string newFolderName) => throw new NotSupportedException();

        public static void CreateAsset(UnityEngine.Object asset, string path) => throw new NotSupportedException();

        public static void SaveAssets() => throw new NotSupportedException();
    }
}
