// The stand-in's player: starts a game in the engine's order, runs its frames and ends it, also in the editor.
using System;
using System.Linq;
using System.Reflection;
using System.Threading;
using UnityEngine;

namespace StandIn
{
    public static class Player
    {
        // As documented for RuntimeInitializeOnLoadMethodAttribute; the order within one kind is not guaranteed.
        private static readonly RuntimeInitializeLoadType[] s_beforeAwake =
        {
            RuntimeInitializeLoadType.SubsystemRegistration,
            RuntimeInitializeLoadType.AfterAssembliesLoaded,
            RuntimeInitializeLoadType.BeforeSplashScreen,
            RuntimeInitializeLoadType.BeforeSceneLoad,
        };

        private static readonly FrameContext s_frames = new FrameContext();

        /// <summary>Frames since the start of the process.</summary>
        public static int Frames
        {
            get { return Time.frameCount; }
        }

        /// <summary>Warnings, errors and exceptions that the game logged since the last call.</summary>
        public static string[] TakeProblems()
        {
            return UnityEngine.Debug.TakeProblems();
        }

        /// <summary>Puts an asset where Resources.Load finds it, or removes it when null.</summary>
        public static void PutResource(string path, UnityEngine.Object asset)
        {
            if (asset is null) Resources.Content.Remove(path);
            else Resources.Content[path] = asset;
        }

        /// <summary>
        /// Makes this thread the game's and plays up to the first Awake, which is the argument. Statics stay as they are,
        /// as they do in an editor that does not reload the domain between two plays.
        /// </summary>
        public static void Start(Action awake = null)
        {
            MainThread.Claim();
            SynchronizationContext.SetSynchronizationContext(s_frames);
            Application.isPlaying = true;
            foreach (RuntimeInitializeLoadType type in s_beforeAwake) RunMethods(type);
            Guarded(awake);
            RunMethods(RuntimeInitializeLoadType.AfterSceneLoad);
        }

        /// <summary>One frame: posted callbacks, then the game's scripts. What one throws stops no other.</summary>
        public static void Frame(params Action[] updates)
        {
            Time.frameCount += 1;
            s_frames.Run();
            foreach (Action update in updates) Guarded(update);
            // About 60 frames a second. A time scale of 0 does not stop frames in the engine either.
            Thread.Sleep(16);
        }

        /// <summary>Ends the game: raises Application.quitting, and drops posted callbacks.</summary>
        public static void Quit()
        {
            Application.RaiseQuitting();
            Application.isPlaying = false;
            s_frames.Forget();
            SynchronizationContext.SetSynchronizationContext(null);
        }

        private static void RunMethods(RuntimeInitializeLoadType type)
        {
            const BindingFlags statics = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;
            var methods =
                from assembly in AppDomain.CurrentDomain.GetAssemblies()
                where IsOfTheGame(assembly)
                from declared in assembly.GetTypes()
                from method in declared.GetMethods(statics)
                let mark = method.GetCustomAttribute<RuntimeInitializeOnLoadMethodAttribute>()
                where mark != null && mark.loadType == type
                select method;
            foreach (MethodInfo method in methods.ToArray())
                Guarded((Action)Delegate.CreateDelegate(typeof(Action), method));
        }

        private static bool IsOfTheGame(Assembly assembly)
        {
            return assembly.GetReferencedAssemblies().Any(name => name.Name == "UnityEngine");
        }

        private static void Guarded(Action action)
        {
            try
            {
                action?.Invoke();
            }
            catch (Exception exception)
            {
                UnityEngine.Debug.LogException(exception);
            }
        }
    }
}
