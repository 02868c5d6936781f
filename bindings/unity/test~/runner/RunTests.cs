// Runs NUnit tests in a process of its own and writes a line for each: passed or failed, name, message.
using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Text;
using NUnit.Framework.Api;
using NUnit.Framework.Interfaces;
using NUnit.Framework.Internal;

namespace StandIn
{
    internal static class RunTests
    {
        private static int Main(string[] assemblyNames)
        {
            // This is the game's thread, and the tests must run on it.
            var settings = new Dictionary<string, object> { { "NumberOfTestWorkers", 0 }, { "RunOnMainThread", true } };
            bool isGood = true;
            foreach (string name in assemblyNames)
            {
                var runner = new NUnitTestAssemblyRunner(new DefaultTestAssemblyBuilder());
                string path = Path.Combine(AppDomain.CurrentDomain.BaseDirectory, name + ".dll");
                ITest suite = runner.Load(Assembly.LoadFrom(path), settings);
                // The engine's own assemblies are loaded before the first scene, even if nothing references them.
                Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Kit.Unity.dll"));
                if (suite.RunState == RunState.NotRunnable) throw new InvalidOperationException(name + " cannot be run");
                ITestResult result = runner.Run(new Lines(), TestFilter.Empty);
isGood &= result.ResultState.Status == TestStatus.Passed;
            }
            return isGood ? 0 : 1;
        }

        private sealed class Lines : ITestListener
        {
            // Not Console, because NUnit records what is written there as the test's own output.
            private readonly TextWriter _out = new StreamWriter(Console.OpenStandardOutput());

            public void TestStarted(ITest test)
            {
            }

            public void TestOutput(TestOutput output)
            {
            }

            public void SendMessage(TestMessage message)
            {
            }

            public void TestFinished(ITestResult result)
            {
                // For a whole suite, only failures outside of its tests.
                if (result.Test.IsSuite && result.ResultState.Status != TestStatus.Failed) return;
                if (result.Test.IsSuite && result.ResultState.Site == FailureSite.Child) return;
                string verdict = result.ResultState.Status == TestStatus.Passed ? "passed" : "failed";
                byte[] message = Encoding.UTF8.GetBytes(result.Message + "\n" + result.StackTrace);
                _out.WriteLine(verdict + "\t" + result.FullName + "\t" + Convert.ToBase64String(message));
                _out.Flush();
            }
        }
    }
}
