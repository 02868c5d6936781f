// A transport that sends nothing: it holds every request until a test settles it.
using System.Text.Json;
using Xunit;

// A process has only one KitSDK.
[assembly: CollectionBehavior(DisableTestParallelization = true)]

namespace Kit.Tests;

internal sealed class HeldTransport : IKitTransport
{
    private readonly List<KitRequest> _held = new();

    internal HeldTransport()
    {
        KitSDK.Reset();
        // The process of the tests has a version too.
        KitBuild.OfEngine = "";
        KitSDK.Transport = this;
    }

    internal IReadOnlyList<KitRequest> Held => _held;

    internal Exception? Fault { get; set; }

    internal IEnumerable<string> Urls => _held.Select(request => request.Url);

    public void Send(KitRequest request)
    {
        if (Fault is { } fault) throw fault;
        _held.Add(request);
    }

    internal void SettleAll()
    {
        foreach (KitRequest request in _held) request.Settle();
        _held.Clear();
    }

    internal JsonElement Body(int index) => JsonDocument.Parse(_held[index].WriteBody()).RootElement;
}
