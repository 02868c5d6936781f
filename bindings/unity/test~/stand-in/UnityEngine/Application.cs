// Stand-in for UnityEngine.Application, Time and Debug, with the members that the package and its tests use.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public enum LogType
    {
        Error,
        Assert,
        Warning,
        Log,
        Exception,
    }

    public static class Application
    {
        public delegate void LogCallback(string condition, string stackTrace, LogType type);

        public static event Action quitting;

        /// <summary>Raised on the thread that logs.</summary>
        public static event LogCallback logMessageReceivedThreaded;

        public static bool isPlaying { get; internal set; }

        /// <summary>The version in the Player settings.</summary>
        public static string version { get; internal set; } = "1.4.2";

        internal static int QuittingHandlers
        {
            get { return quitting == null ? 0 : quitting.GetInvocationList().Length; }
        }

        internal static int LogHandlers
        {
            get { return logMessageReceivedThreaded == null ? 0 : logMessageReceivedThreaded.GetInvocationList().Length; }
        }

        internal static void RaiseLog(string condition, string stackTrace, LogType type)
        {
            logMessageReceivedThreaded?.Invoke(condition, stackTrace, type);
        }

        internal static void RaiseQuitting()
        {
            quitting?.Invoke();
        }
    }

    public static class Time
    {
        public static float timeScale { get; set; } = 1;

        public static int frameCount { get; internal set; }
    }

    /// <summary>Records warnings, errors and exceptions. A binding may never log one.</summary>
    public static class Debug
    {
        private static readonly object s_gate = new object();
        private static readonly List<string> s_problems = new List<string>();

        public static void Log(object message)
        {
            Application.RaiseLog("" + message, "", LogType.Log);
        }

        public static void LogWarning(object message)
        {
            Keep("warning: " + message);
            Application.RaiseLog("" + message, "", LogType.Warning);
        }

        public static void LogError(object message)
        {
            Keep("error: " + message);
            Application.RaiseLog("" + message, "", LogType.Error);
        }

        public static void LogException(Exception exception)
        {
            Keep("exception: " + exception);
            string condition = exception.GetType().Name + ": " + exception.Message;
            Application.RaiseLog(condition, exception.StackTrace ?? "", LogType.Exception);
        }

        /// <summary>The lines logged since the last call.</summary>
        internal static string[] TakeProblems()
        {
            lock (s_gate)
            {
                string[] taken = s_problems.ToArray();
                s_problems.Clear();
                return taken;
            }
        }

        private static void Keep(string line)
        {
            lock (s_gate) s_problems.Add(line);
        }
    }
}
