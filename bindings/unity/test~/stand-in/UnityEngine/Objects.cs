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
        public static void DestroyImmediate(Object gone) => throw new NotSupportedException();
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

    /// <summary>The assets of the project's Resources folders.</summary>
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
        public GUIContent(string text, string tooltip)
        {
        }
    }

    public class GUILayoutOption
    {
    }

    public static class GUILayout
    {
        public static bool Button(string text, params GUILayoutOption[] options) => throw new NotSupportedException();
    }
}
