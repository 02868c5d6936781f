// Stand-in for the parts of UnityEditor behind a settings page. Assets are kept in memory; fields are set by the test.
using System;
using System.Collections.Generic;
using System.Reflection;
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
            settingsPath = path;
            scope = scopes;
            this.keywords = keywords;
        }

        public string settingsPath { get; private set; }

        public SettingsScope scope { get; private set; }

        public string label { get; set; }

        public IEnumerable<string> keywords { get; set; }

        public Action<string> guiHandler { get; set; }
    }

    public class SerializedObject : IDisposable
    {
        private readonly UnityEngine.Object _target;
        private readonly List<SerializedProperty> _properties = new List<SerializedProperty>();

        public SerializedObject(UnityEngine.Object obj)
        {
            if (obj == null) throw new ArgumentException("Object at index 0 is null");
            _target = obj;
        }

        public SerializedProperty FindProperty(string propertyPath)
        {
            const BindingFlags any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
            FieldInfo field = _target.GetType().GetField(propertyPath, any);
            if (field == null || (!field.IsPublic && field.GetCustomAttribute<SerializeField>() == null)) return null;
            var property = new SerializedProperty(_target, field);
            _properties.Add(property);
            return property;
        }

        public bool ApplyModifiedProperties()
        {
            bool isAny = false;
            foreach (SerializedProperty property in _properties) isAny |= property.Apply();
            return isAny;
        }

        public void Dispose()
        {
        }
    }

    public class SerializedProperty
    {
        private readonly UnityEngine.Object _target;
        private readonly FieldInfo _field;
        private object _value;

        internal SerializedProperty(UnityEngine.Object target, FieldInfo field)
        {
            _target = target;
            _field = field;
            _value = field.GetValue(target);
        }

        public string tooltip
        {
            get
            {
                var attribute = _field.GetCustomAttribute<TooltipAttribute>();
                return attribute == null ? "" : attribute.tooltip;
            }
        }

        public string stringValue
        {
            get { return (string)_value; }
            set { _value = value; }
        }

        public bool boolValue
        {
            get { return (bool)_value; }
            set { _value = value; }
        }

        internal void Set(object value)
        {
            _value = value;
        }

        internal bool Apply()
        {
            if (Equals(_value, _field.GetValue(_target))) return false;
            _field.SetValue(_target, _value);
            return true;
        }
    }

    /// <summary>Draws nothing: records the labels, and types in the text that a test prepared for a label.</summary>
    public static class EditorGUILayout
    {
        internal static readonly List<string> Drawn = new List<string>();
        internal static readonly Dictionary<string, object> Typed = new Dictionary<string, object>();

        public static bool PropertyField(SerializedProperty property, GUIContent label, params GUILayoutOption[] options)
        {
            Drawn.Add(label.text);
            object value;
            if (Typed.TryGetValue(label.text, out value)) property.Set(value);
            return false;
        }

        public static void HelpBox(string message, MessageType type)
        {
            Drawn.Add(message);
        }
    }

    public static class AssetDatabase
    {
        internal static readonly HashSet<string> Folders = new HashSet<string> { "Assets" };

        public static bool IsValidFolder(string path)
        {
            return Folders.Contains(path);
        }

        public static string CreateFolder(string parentFolder, string newFolderName)
        {
            if (!Folders.Contains(parentFolder)) return "";
            Folders.Add(parentFolder + "/" + newFolderName);
            return "a guid";
        }

        public static void CreateAsset(UnityEngine.Object asset, string path)
        {
            int nameAt = path.LastIndexOf('/') + 1;
            string folder = path.Substring(0, nameAt - 1);
            if (!Folders.Contains(folder)) throw new UnityException("Parent directory must exist: " + folder);
            string name = path.Substring(nameAt).Replace(".asset", "");
            if (folder.EndsWith("/Resources", StringComparison.Ordinal)) StandIn.Player.PutResource(name, asset);
        }

        public static bool DeleteAsset(string path)
        {
            string name = path.Substring(path.LastIndexOf('/') + 1).Replace(".asset", "");
            StandIn.Player.PutResource(name, null);
            return true;
        }

        public static void SaveAssets()
        {
        }
    }
}
