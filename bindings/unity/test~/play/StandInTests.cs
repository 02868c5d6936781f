// Tests of the stand-in: it refuses what the engine refuses, or the other tests would prove nothing.
using System;
using System.Threading;
using NUnit.Framework;
using UnityEngine;
using UnityEngine.Networking;

namespace StandIn.Play
{
    internal sealed class StandInTests : PlayTest
    {
        private static Exception ThrownOffTheMainThread(Action action)
        {
            Exception thrown = null;
            var thread = new Thread(() =>
            {
                try
                {
                    action();
                }
                catch (Exception exception)
                {
                    thrown = exception;
                }
            });
            thread.Start();
            thread.Join();
            return thrown;
        }

        [Test]
        public void TheEnginesObjectsWorkOnTheMainThreadOnly()
        {
            Player.Start();
            Assert.That(ThrownOffTheMainThread(() => Resources.Load<ScriptableObject>("x")), Is.TypeOf<UnityException>());
            Assert.That(
                ThrownOffTheMainThread(() => new UnityWebRequest("http://127.0.0.1:1", "POST")), Is.TypeOf<UnityException>());
        }

        [Test]
        public void AnUndisposedRequestIsCounted()
        {
            Player.Start();
            int before = WebRequests.Undisposed;
            var request = new UnityWebRequest("http://127.0.0.1:1", "POST");
            Assert.That(WebRequests.Undisposed, Is.EqualTo(before + 1));
            request.Dispose();
            Assert.That(WebRequests.Undisposed, Is.EqualTo(before));
        }

        [Test]
        public void ARequestThatFollowsRedirectsIsNotSupported()
        {
            Player.Start();
            using (var request = new UnityWebRequest("http://127.0.0.1:1", "POST"))
            {
                request.uploadHandler = new UploadHandlerRaw(new byte[1]);
                Assert.Throws<NotSupportedException>(() => request.SendWebRequest());
            }
        }

        [Test]
        public void ExceptionsOfAGameAreInItsLog()
        {
            EarlyGame.OnAssembliesLoaded = () => throw new InvalidOperationException("early");
            Player.Start(() => throw new InvalidOperationException("awake"));
            string[] problems = Player.TakeProblems();
            Assert.That(problems, Has.Length.EqualTo(2));
            Assert.That(problems[0], Does.Contain("early"));
            Assert.That(problems[1], Does.Contain("awake"));
        }
    }
}
