// One conformance case in the stand-in's player: its steps, and what came of them.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Kit;
using StandIn;
using UnityEngine;

namespace Conform
{
    internal sealed class CasePlay
    {
        private readonly string _id;
        private readonly List<string> _threw = new List<string>();
        private readonly List<string> _calls = new List<string>();
        private readonly List<string> _failures = new List<string>();
        private readonly List<string> _reads = new List<string>();
        private bool _isQuiet;

        internal CasePlay(string id)
        {
            _id = id;
        }

        /// <summary>What the case starts the binding with; null when it starts nothing.</summary>
        internal KitConfig Start { get; set; }

        internal List<string[]> Steps { get; } = new List<string[]>();

        internal bool HasQuit { get; private set; }

        /// <summary>
        /// The first case of a process begins the game, with its configuration in the project's settings asset. Those after
        /// it go on in the same game and configure it as a game does that chooses for itself.
        /// </summary>
        internal void Run(bool isFirst)
        {
            if (isFirst)
            {
                if (Start != null) Player.PutResource("KitSettings", Settings.Of(Start));
                Player.Start();
                // No game ends in its first second. Mono takes up to half of it to make the first request ready, beside the game.
                Frames(60);
            }
            else if (Start != null)
            {
                Guard(() => KitSDK.Initialize(Start));
            }
            int before = Player.Frames;
            foreach (string[] step in Steps) Do(step, 0);
            Time.timeScale = 1;
            if (HasQuit) return;
            Report.Case(_id, _calls, _failures, _threw, Player.TakeProblems(), _reads, Player.Frames - before);
            Player.Frame();
        }

        internal void ReportLate()
        {
            Report.Case(_id, new string[0], new string[0], new string[0], Player.TakeProblems(), new string[0], 0);
        }

        private void Do(string[] words, int number)
        {
            switch (words[0])
            {
                case "recording": Call(() => KitSDK.Recording.TriggerEvent(Script.TextOf(words[1], number))); break;
                case "social": Call(() => KitSDK.Social.TriggerEvent(Script.TextOf(words[1], number))); break;
                case "monitor": Call(() => ReportError(words, number)); break;
                case "fail": Fail(words, number, 1); break;
                case "initialize": Guard(() => KitSDK.Initialize(Script.ConfigOf(words))); break;
                case "read": Read(); break;
                case "repeat": Repeat(int.Parse(words[1]), words.Skip(2).ToArray()); break;
                case "threads": OnThreads(int.Parse(words[1]), words.Skip(2).ToArray()); break;
                case "frames": Frames(int.Parse(words[1])); break;
                case "wait": Wait(int.Parse(words[1])); break;
                case "block": Thread.Sleep(int.Parse(words[1])); break;
                case "pause": Time.timeScale = 0; break;
                case "quit": Quit(); break;
                default: throw new NotSupportedException("no such step: " + words[0]);
            }
        }

        private static void ReportError(string[] words, int number)
        {
            string message = Script.TextOf(words[1], number);
            if (words.Length > 2) KitSDK.Monitor.ReportError(message, Script.TextOf(words[2], number));
            else KitSDK.Monitor.ReportError(message);
        }

        private void Call(Action operation)
        {
            double before = Report.NowMs();
            Guard(operation);
            if (!_isQuiet) _calls.Add(Report.Pair(before, Report.NowMs()));
        }

        private void Guard(Action action)
        {
            try
            {
                action();
            }
            catch (Exception exception)
            {
                lock (_threw) _threw.Add(exception.ToString());
            }
        }

        private void Read()
        {
            KitConfig config = KitSDK.Config;
            _reads.Add(Report.Read(KitSDK.IsInitialized, config));
        }

        /// <summary>Only the first and the last are timed.</summary>
        private void Repeat(int times, string[] step)
        {
            if (step[0] == "fail")
            {
                Fail(step, 1, times);
                return;
            }
            for (int i = 1; i <= times; i++)
            {
                _isQuiet = i > 1 && i < times;
                Do(step, i);
            }
            _isQuiet = false;
        }

        /// <summary>Each by a script of its own in one frame: the engine catches what a script throws, and logs it.</summary>
        private void Fail(string[] words, int number, int times)
        {
            double before = Report.NowMs();
            Action[] scripts = Enumerable.Range(number, times).Select(i => (Action)(() => Throw(Script.TextOf(words[1], i)))).ToArray();
            Player.Frame(scripts);
            _failures.Add(Report.Pair(before, Report.NowMs()));
        }

        private static void Throw(string message)
        {
            throw new InvalidOperationException(message);
        }

        private void OnThreads(int count, string[] step)
        {
            double before = Report.NowMs();
            _isQuiet = true;
            Thread[] threads = Enumerable.Range(1, count).Select(i => new Thread(() => Do(step, i))).ToArray();
            foreach (Thread thread in threads) thread.Start();
            foreach (Thread thread in threads) thread.Join();
            _isQuiet = false;
            _calls.Add(Report.Pair(before, Report.NowMs()));
        }

        private static void Frames(int count)
        {
            for (int i = 0; i < count; i++) Player.Frame();
        }

        private static void Wait(int ms)
        {
            DateTime end = DateTime.UtcNow.AddMilliseconds(ms);
            while (DateTime.UtcNow < end) Player.Frame();
        }

        private void Quit()
        {
            HasQuit = true;
            Report.Case(_id, _calls, _failures, _threw, Player.TakeProblems(), _reads, 0);
            Report.Quit(_id);
            Player.Quit();
            ReportLate();
        }
    }
}
