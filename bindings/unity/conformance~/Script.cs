// The script driver.ts writes for a process: tab-separated words, texts as the base64 of their code units.
using System;
using System.Collections.Generic;
using Kit;

namespace Conform
{
    internal static class Script
    {
        internal static List<CasePlay> Read(string[] lines)
        {
            var plays = new List<CasePlay>();
            CasePlay play = null;
            foreach (string line in lines)
            {
                string[] words = line.Split('\t');
                if (words[0] == "case") plays.Add(play = new CasePlay(words[1]));
                else if (words[0] == "start") play.Start = ConfigOf(words);
                else play.Steps.Add(words);
            }
            return plays;
        }

        /// <summary>Null where the case starts nothing; else the defaults with what the words behind the first change.</summary>
        internal static KitConfig ConfigOf(string[] words)
        {
            if (words.Length > 1 && words[1] == "nothing") return null;
            var config = new KitConfig();
            for (int i = 1; i + 1 < words.Length; i += 2)
            {
                string value = words[i + 1];
                if (words[i] == "launcherUrl") config.LauncherUrl = TextOf(value, 0);
                if (words[i] == "enableRecording") config.EnableRecording = value == "true";
                if (words[i] == "enableMonitor") config.EnableMonitor = value == "true";
                if (words[i] == "enableSocial") config.EnableSocial = value == "true";
                if (words[i] == "reportUncaughtErrors") config.ReportUncaughtErrors = value == "true";
                if (words[i] == "build") config.Build = TextOf(value, 0);
            }
            return config;
        }

        /// <summary>A text, or null for "null"; in the n-th of many calls {n} stands for its number.</summary>
        internal static string TextOf(string word, int number)
        {
            if (word == "null") return null;
            // An encoding would replace half a surrogate pair, so the code units are taken as they are.
            byte[] bytes = Convert.FromBase64String(word);
            var units = new char[bytes.Length / 2];
            for (int i = 0; i < units.Length; i++) units[i] = (char)(bytes[2 * i] | (bytes[2 * i + 1] << 8));
            string text = new string(units);
            return number > 0 ? text.Replace("{n}", number.ToString()) : text;
        }
    }
}
