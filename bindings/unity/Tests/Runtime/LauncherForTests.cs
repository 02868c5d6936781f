// A launcher for tests: records what a game sent, and answers as a launcher does. Loopback, on a free port.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;

namespace Kit.Tests
{
    internal sealed class LauncherForTests : IDisposable
    {
        private readonly TcpListener _listener = new TcpListener(IPAddress.Loopback, 0);
        private readonly List<string> _requests = new List<string>();

        internal LauncherForTests()
        {
            _listener.Start();
            new Thread(Listen) { IsBackground = true }.Start();
        }

        internal string Url
        {
            get { return "http://127.0.0.1:" + ((IPEndPoint)_listener.LocalEndpoint).Port; }
        }

        /// <summary>Path and body of each request, in order of arrival.</summary>
        internal string[] Requests
        {
            get
            {
                lock (_requests) return _requests.ToArray();
            }
        }

        /// <summary>Waits until that many requests have arrived. Throws after ten seconds.</summary>
        internal string[] Await(int count)
        {
            lock (_requests)
            {
                DateTime deadline = DateTime.UtcNow.AddSeconds(10);
                while (_requests.Count < count)
                {
                    if (DateTime.UtcNow > deadline) throw new TimeoutException(_requests.Count + " of " + count + " came");
                    Monitor.Wait(_requests, 100);
                }
                return _requests.ToArray();
            }
        }

        public void Dispose()
        {
            _listener.Stop();
        }

        private void Listen()
        {
            try
            {
                for (;;)
                {
                    using (TcpClient client = _listener.AcceptTcpClient()) Answer(client);
                }
            }
            catch (Exception)
            {
                // The listener was closed, which each runtime reports with another exception: the test is over.
            }
        }

        private void Answer(TcpClient client)
        {
            try
            {
                client.ReceiveTimeout = 5000;
                Stream stream = client.GetStream();
                string head = ReadHead(stream);
                var body = new byte[LengthIn(head)];
                for (int read = 0, part; read < body.Length; read += part)
                {
                    part = stream.Read(body, read, body.Length - read);
                    if (part == 0) return;
                }
                lock (_requests)
                {
                    _requests.Add(head.Split(' ')[1] + " " + Encoding.UTF8.GetString(body));
                    Monitor.PulseAll(_requests);
                }
                byte[] answer = Encoding.ASCII.GetBytes(
                    "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                stream.Write(answer, 0, answer.Length);
            }
            catch (IOException)
            {
                // The game closed the connection. The received bytes are kept.
            }
        }

        private static string ReadHead(Stream stream)
        {
            var head = new StringBuilder();
            while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
            {
                int next = stream.ReadByte();
                if (next < 0) throw new IOException("closed within the head");
                head.Append((char)next);
            }
            return head.ToString();
        }

        private static int LengthIn(string head)
        {
            foreach (string line in head.Split('\n'))
            {
                string[] parts = line.Split(':');
                if (parts[0].Equals("Content-Length", StringComparison.OrdinalIgnoreCase)) return int.Parse(parts[1]);
            }
            return 0;
        }
    }
}
