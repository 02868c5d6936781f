// Stand-in for objects, assets and components of UnityEngine. Main thread only, as in the engine.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public class UnityException : Exception
    {
        public UnityException(string message) : base(message)
        {
        }
    }

    public class Object
    {
        public string name { get; set; } = "";

        public static void DestroyImmediate(Object gone)
        {
            if (gone != null) gone.IsDestroyed = true;
        }

        internal bool IsDestroyed { get; private set; }

        public static bool operator ==(Object left, Object right)
        {
            return IsNull(left) ? IsNull(right) : ReferenceEquals(left, right);
        }

        public static bool operator !=(Object left, Object right)
        {
            return !(left == right);
        }

        public override bool Equals(object other)
        {
            return other is Object && this == (Object)other;
        }

        public override int GetHashCode()
        {
            return System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);
        }

        // A destroyed object counts as null in the engine, so a plain null check in the package has to mean that too.
        private static bool IsNull(Object value)
        {
            return value is null || value.IsDestroyed;
        }
    }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject
        {
            StandIn.MainThread.Demand("ScriptableObject.CreateInstance");
            return (T)Activator.CreateInstance(typeof(T));
        }
    }

    public class MonoBehaviour : Object
    {
    }

    /// <summary>The assets of the project's Resources folders, put there by a test or by the stand-in's AssetDatabase.</summary>
    public static class Resources
    {
        internal static readonly Dictionary<string, Object> Content = new Dictionary<string, Object>();

        public static T Load<T>(string path) where T : Object
        {
            StandIn.MainThread.Demand("Resources.Load");
            Object found;
            return Content.TryGetValue(path, out found) ? found as T : null;
        }
    }

    public class GUIContent
    {
        public GUIContent(string text)
        {
            this.text = text;
        }

        public GUIContent(string text, string tooltip)
        {
            this.text = text;
            this.tooltip = tooltip;
        }

        public string text { get; set; }

        public string tooltip { get; set; }
    }

    public class GUILayoutOption
    {
    }

    /// <summary>An invisible window: a test names the button to press.</summary>
    public static class GUILayout
    {
        internal static string Pressed { get; set; }

        public static bool Button(string text, params GUILayoutOption[] options)
        {
            bool isPressed = text == Pressed;
            if (isPressed) Pressed = null;
            return isPressed;
        }
    }
}
