// The launcher of the stand-in's tests: records requests with their headers, and answers, floods or hangs.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;

namespace StandIn.Play
{
    internal enum Answer
    {
        Accepted,
        Endless,
        None,
        Redirect,
    }

    internal sealed class TestLauncher : IDisposable
    {
        private readonly TcpListener _listener = new TcpListener(IPAddress.Loopback, 0);
        private readonly Answer _answer;
        private readonly List<string> _requests = new List<string>();
        private volatile bool _isClosed;

        internal TestLauncher(Answer answer = Answer.Accepted)
        {
            _answer = answer;
            _listener.Start();
            new Thread(Listen) { IsBackground = true }.Start();
        }

        internal string Url
        {
            get { return "http://127.0.0.1:" + ((IPEndPoint)_listener.LocalEndpoint).Port; }
        }

        /// <summary>Head and body of each request, unchanged.</summary>
        internal string[] Requests
        {
            get
            {
                lock (_requests) return _requests.ToArray();
            }
        }

        internal int CountOf(string part)
        {
            return Requests.Count(request => request.Contains(part));
        }

        public void Dispose()
        {
            _isClosed = true;
            _listener.Stop();
        }

        private void Listen()
        {
            try
            {
                for (;;)
                {
                    TcpClient client = _listener.AcceptTcpClient();
                    new Thread(() => Serve(client)) { IsBackground = true }.Start();
                }
            }
            catch (Exception)
            {
                // The listener was closed: the test is over.
            }
        }

        private void Serve(TcpClient client)
        {
            try
            {
                using (client)
                {
                    Stream stream = client.GetStream();
                    string request = ReadRequest(stream);
                    lock (_requests) _requests.Add(request);
                    Reply(stream);
                }
            }
            catch (Exception)
            {
                // The game closed the connection.
            }
        }

        private void Reply(Stream stream)
        {
            if (_answer == Answer.None) Thread.Sleep(20000);
            if (_answer == Answer.Accepted) Write(stream, "HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
            if (_answer == Answer.Redirect)
                Write(stream, "HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            if (_answer != Answer.Endless) return;
            Write(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
            string much = new string('x', 4096);
            while (!_isClosed) Write(stream, much);
        }

        private static void Write(Stream stream, string text)
        {
            byte[] bytes = Encoding.ASCII.GetBytes(text);
            stream.Write(bytes, 0, bytes.Length);
        }

        private static string ReadRequest(Stream stream)
        {
            var text = new StringBuilder();
            int end = -1;
            while (end < 0 || text.Length < end)
            {
                int next = stream.ReadByte();
                if (next < 0) throw new IOException("closed within the request");
                text.Append((char)next);
                if (end < 0 && next == '\n' && text.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
                    end = text.Length + LengthIn(text.ToString());
            }
            return text.ToString();
        }

        private static int LengthIn(string head)
        {
            string line = head.Split('\n').First(one => one.StartsWith("Content-Length:", StringComparison.OrdinalIgnoreCase));
            return int.Parse(line.Split(':')[1]);
        }
    }
}
