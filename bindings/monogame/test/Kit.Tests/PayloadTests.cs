// Tests of the payload of a call: its members, their order, the texts and the time.
using System.Globalization;
using System.Text;
using System.Text.Json;
using Xunit;

namespace Kit.Tests;

public sealed class PayloadTests
{
    private static readonly DateTime Moment = new(2026, 3, 4, 5, 6, 7, 89, DateTimeKind.Utc);

    private readonly HeldTransport _transport = new();

    [Fact]
    public void A_report_without_a_stack_trace_has_an_empty_one()
    {
        KitSDK.Monitor.ReportError("lost");
        KitSDK.Monitor.ReportError("lost", null);
        Assert.All(_transport.Held, request => Assert.StartsWith(
            "{\"message\":\"lost\",\"stackTrace\":\"\",\"timestamp\":\"", Encoding.UTF8.GetString(request.WriteBody())));
        Assert.Equal(2, _transport.Held.Count);
    }

    [Fact]
    public void An_empty_id_or_message_sends_nothing()
    {
        KitSDK.Recording.TriggerEvent("");
        KitSDK.Recording.TriggerEvent(null!);
        KitSDK.Social.TriggerEvent(null!);
        KitSDK.Monitor.ReportError("", "at Main()");
        KitSDK.Monitor.ReportError(null!);
        Assert.Empty(_transport.Held);
    }

    [Fact]
    public void Every_character_arrives_unchanged()
    {
        string all = new(Enumerable.Range(0, 0xd800).Concat(Enumerable.Range(0xe000, 0x2000)).Select(c => (char)c).ToArray());
        KitSDK.Monitor.ReportError(all + "\U0001F47E", "\r\n\t\"\\/");
        Assert.Equal(all + "\U0001F47E", _transport.Body(0).GetProperty("message").GetString());
        Assert.Equal("\r\n\t\"\\/", _transport.Body(0).GetProperty("stackTrace").GetString());
    }

    /// <summary>Not as attributes, because those are stored in UTF-8.</summary>
    public static readonly TheoryData<char[], string> Escaped = new()
    {
        { new[] { 'a', '\ud800' }, "a\\ud800" },
        { new[] { '\udc00', '\ud800' }, "\\udc00\\ud800" },
        { new[] { '\ud83d', '\ud83d', '\udc7e' }, "\\ud83d\U0001F47E" },
        { new[] { '\0', '\u0007', '\u001b' }, "\\u0000\\u0007\\u001b" },
    };

    [Theory]
    [MemberData(nameof(Escaped), DisableDiscoveryEnumeration = true)]
    public void Characters_outside_JSON_and_UTF_8_are_escaped(char[] text, string written)
    {
        KitSDK.Recording.TriggerEvent(new string(text));
        Assert.Contains($"\"eventId\":\"{written}\",", Encoding.UTF8.GetString(_transport.Held[0].WriteBody()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("ar-SA")]
    [InlineData("fa-IR")]
    [InlineData("th-TH")]
    [InlineData("fi-FI")]
    [InlineData("he-IL")]
    public void The_time_does_not_depend_on_the_culture_of_the_player(string name)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(name);
            Assert.Equal("2026-03-04T05:06:07.089Z", KitPayload.Timestamp(Moment));
            Assert.Contains("\\u001b", Encoding.UTF8.GetString(KitPayload.Of(KitOperation.Social, "\u001b", "", "", Moment)));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void A_culture_with_another_calendar_changes_the_year()
    {
        // Guards the test above, which would prove nothing on a machine without cultures.
        Assert.NotEqual("2026", Moment.ToString("yyyy", CultureInfo.GetCultureInfo("th-TH")));
    }

    [Fact]
    public void The_time_is_that_of_the_call_not_of_the_request()
    {
        DateTime before = DateTime.UtcNow.AddMilliseconds(-1);
        KitSDK.Recording.TriggerEvent("mygame_start");
        DateTime after = DateTime.UtcNow;
        while (DateTime.UtcNow - after < TimeSpan.FromMilliseconds(30)) Thread.Yield();
        DateTime sent = _transport.Body(0).GetProperty("timestamp").GetDateTime();
        Assert.InRange(sent, before, after);
    }
}
