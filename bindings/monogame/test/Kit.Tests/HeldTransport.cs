// A transport that carries nothing: it keeps what it is handed until a test lets it go.
using System.Text.Json;
using Xunit;

// KitSDK is one for the whole process.
[assembly: CollectionBehavior(DisableTestParallelization = true)]

namespace Kit.Tests;

internal sealed class HeldTransport : IKitTransport
{
    private readonly List<KitRequest> _held = new();

    internal HeldTransport()
    {
        KitSDK.Reset();
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
