// Makes the calls of a plan frame by frame, and prints their cost. See ../plan.ts.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using Kit;

namespace CallCosts
{
    internal sealed class Costs
    {
        private const string Mark = "@bench ";

        private readonly string _engine;
        private readonly List<string[]> _blocks = new List<string[]>();
        private readonly Subjects _subjects;
        private readonly List<double> _calls = new List<double>(16384);
        private readonly List<double> _frames = new List<double>(16384);
        private int _number = -1;
        private int _framesLeft;
        private DateTime? _restsUntil;
        private long _heapBefore;
        private Action _call;

        internal Costs(string engine, string plan)
        {
            _engine = engine;
            string url = "";
            foreach (string[] words in File.ReadAllLines(plan).Select(line => line.Split('\t')))
            {
                if (words[0] == "url") url = words[1];
                else if (words[0] == "frame") FrameMs = double.Parse(words[1], CultureInfo.InvariantCulture);
                else _blocks.Add(words);
            }
            KitSDK.Initialize(new KitConfig { LauncherUrl = url });
            _subjects = new Subjects(url);
        }

        internal double FrameMs { get; private set; }

        /// <summary>Plays one frame. Returns false at the end of the plan.</summary>
        internal bool Frame()
        {
            // Blocks begin and end in separate frames, which are not measured.
            if (_framesLeft == 0 && _restsUntil == null) return BeginNext();
            if (_framesLeft == 0 && DateTime.UtcNow >= _restsUntil)
            {
                EndBlock();
                return true;
            }
            long began = Stopwatch.GetTimestamp();
            if (_framesLeft > 0) MakeCalls(_blocks[_number]);
            _frames.Add(MicrosecondsSince(began));
            return true;
        }

        private static double MicrosecondsSince(long began)
        {
            return (Stopwatch.GetTimestamp() - began) * 1e6 / Stopwatch.Frequency;
        }

        /// <summary>In a storm only the frames are measured.</summary>
        private void MakeCalls(string[] block)
        {
            int calls = int.Parse(block[3], CultureInfo.InvariantCulture);
            bool isTimed = block[1] == "calls";
            for (int made = 0; made < calls; made++)
            {
                long began = isTimed ? Stopwatch.GetTimestamp() : 0;
                _call();
                if (isTimed) _calls.Add(MicrosecondsSince(began));
            }
            _framesLeft--;
            double restMs = double.Parse(block[4], CultureInfo.InvariantCulture);
            if (_framesLeft == 0) _restsUntil = DateTime.UtcNow.AddMilliseconds(restMs);
        }

        private bool BeginNext()
        {
            _number++;
            if (_number == _blocks.Count) return false;
            _calls.Clear();
            _frames.Clear();
            _call = _subjects.Named(_blocks[_number][0]);
            _framesLeft = int.Parse(_blocks[_number][2], CultureInfo.InvariantCulture);
            _heapBefore = GC.GetTotalMemory(true);
            Tell("\"begin\":" + _number);
            return true;
        }

        private void EndBlock()
        {
            _restsUntil = null;
            string heap = _heapBefore + "," + GC.GetTotalMemory(true);
            Tell($"\"end\":{_number},\"engine\":\"{_engine}\",\"callsUs\":[{Json(_calls)}],"
                + $"\"framesUs\":[{Json(_frames)}],\"heapBytes\":[{heap}]");
        }

        private static string Json(List<double> numbers)
        {
            return string.Join(",", numbers.Select(number => number.ToString("0.###", CultureInfo.InvariantCulture)));
        }

        private static void Tell(string members)
        {
            Console.WriteLine(Mark + "{" + members + "}");
            Console.Out.Flush();
        }
    }
}
