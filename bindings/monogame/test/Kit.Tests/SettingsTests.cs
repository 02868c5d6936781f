// Tests of the settings: which are in use, and since when.
using Xunit;

namespace Kit.Tests;

public sealed class SettingsTests
{
    private readonly HeldTransport _transport = new();

    [Fact]
    public void Before_the_start_the_settings_are_the_defaults()
    {
        Assert.False(KitSDK.IsInitialized);
        Assert.Equal("http://127.0.0.1:9876", KitSDK.Config.LauncherUrl);
        Assert.True(KitSDK.Config.EnableRecording && KitSDK.Config.EnableMonitor && KitSDK.Config.EnableSocial);
    }

    [Fact]
    public void An_operation_before_the_start_starts_with_the_defaults_and_sends()
    {
        KitSDK.Config.EnableRecording = false; // Has no effect yet.
        KitSDK.Recording.TriggerEvent("mygame_start");
        Assert.True(KitSDK.IsInitialized);
        Assert.False(KitSDK.IsInitializedByGame);
        Assert.Equal("http://127.0.0.1:9876/api/recording/trigger", Assert.Single(_transport.Urls));
    }

    [Fact]
    public void Starting_again_replaces_the_settings()
    {
        KitSDK.Initialize(new KitConfig { LauncherUrl = "http://localhost:1", EnableSocial = false });
        KitSDK.Initialize();
        KitSDK.Social.TriggerEvent("mygame_stars");
        Assert.True(KitSDK.IsInitializedByGame);
        Assert.Equal("http://127.0.0.1:9876/api/social/trigger", Assert.Single(_transport.Urls));
    }

    [Fact]
    public void A_report_names_the_version_of_the_game_or_the_build_that_the_game_set()
    {
        KitBuild.OfEngine = "1.4.2";
        KitSDK.Monitor.ReportError("version");
        Assert.Equal("1.4.2", KitSDK.Config.Build);
        KitSDK.Config.Build = " 1.5 \"beta\"\n";
        KitSDK.Monitor.ReportError("set");
        KitSDK.Recording.TriggerEvent("mygame_start");
        KitSDK.Initialize(new KitConfig { Build = " " });
        KitSDK.Monitor.ReportError("empty");
        Assert.Equal("", KitSDK.Config.Build);
        string[] names = { "message", "stackTrace", "build", "timestamp" };
        Assert.Equal(names, _transport.Body(0).EnumerateObject().Select(member => member.Name));
        Assert.Equal("1.4.2", _transport.Body(0).GetProperty("build").GetString());
        Assert.Equal("1.5 \"beta\"", _transport.Body(1).GetProperty("build").GetString());
        Assert.Equal(2, _transport.Body(2).EnumerateObject().Count());
        Assert.Equal(3, _transport.Body(3).EnumerateObject().Count());
    }

    [Theory]
    [InlineData(101, 100)]
    [InlineData(100, 100)]
    public void A_long_build_is_cut_but_no_character_is_split(int given, int sent)
    {
        Assert.Equal(new string('1', sent), KitBuild.InUse(new string('1', given)));
        Assert.Equal(new string('1', 99), KitBuild.InUse(new string('1', 99) + "\U0001F47E"));
    }

    [Fact]
    public void The_version_of_the_game_is_that_of_its_assembly_without_the_commit()
    {
        Assert.Matches(@"^\d+\.\d+\.\d+[^+]*$", KitSDK.VersionOf(typeof(SettingsTests).Assembly));
        Assert.Equal("", KitSDK.VersionOf(null));
    }

    [Fact]
    public void Null_settings_are_the_defaults()
    {
        KitSDK.Initialize(null);
        Assert.True(KitSDK.IsInitialized);
        Assert.Equal("http://127.0.0.1:9876", KitSDK.Config.LauncherUrl);
        KitSDK.Initialize(new KitConfig { LauncherUrl = null! });
        Assert.Equal("http://127.0.0.1:9876", KitSDK.Config.LauncherUrl);
    }

    [Fact]
    public void The_passed_object_may_be_reused()
    {
        var config = new KitConfig { LauncherUrl = "http://localhost:1" };
        KitSDK.Initialize(config);
        config.LauncherUrl = "http://localhost:2";
        config.EnableRecording = false;
        KitSDK.Recording.TriggerEvent("mygame_start");
        Assert.Equal("http://localhost:1/api/recording/trigger", Assert.Single(_transport.Urls));
    }

    [Fact]
    public void A_change_of_the_settings_takes_effect_with_the_next_call()
    {
        KitSDK.Initialize();
        KitSDK.Config.EnableMonitor = false;
        KitSDK.Monitor.ReportError("lost");
        KitSDK.Config.EnableMonitor = true;
        KitSDK.Config.LauncherUrl = " http://localhost:3// ";
        KitSDK.Monitor.ReportError("kept");
        Assert.Equal("http://localhost:3/api/monitor/report", Assert.Single(_transport.Urls));
    }

    [Theory]
    [InlineData("http://localhost:1/")]
    [InlineData(" \t\u00a0\u3000http://localhost:1//\r\n")]
    public void Whitespace_and_trailing_slashes_of_an_address_are_removed(string given)
    {
        KitSDK.Initialize(new KitConfig { LauncherUrl = given });
        Assert.Equal("http://localhost:1", KitSDK.Config.LauncherUrl);
    }

    [Theory]
    [InlineData("HTTP://LOCALHOST:1", "HTTP://LOCALHOST:1/api/recording/trigger")]
    [InlineData("http://[::1]:1", "http://[::1]:1/api/recording/trigger")]
    [InlineData("https://launcher.test/kit", "https://launcher.test/kit/api/recording/trigger")]
    public void Every_usable_address_is_used(string given, string url)
    {
        KitSDK.Initialize(new KitConfig { LauncherUrl = given });
        KitSDK.Recording.TriggerEvent("mygame_start");
        Assert.Equal(url, Assert.Single(_transport.Urls));
    }

    [Theory]
    [InlineData("")]
    [InlineData("   ")]
    [InlineData("localhost")]
    [InlineData("127.0.0.1:9876")]
    [InlineData("/api")]
    [InlineData("ftp://localhost")]
    [InlineData("file:///tmp")]
    [InlineData("http://")]
    [InlineData("http:///x")]
    [InlineData("http://localhost:99999")]
    [InlineData("http://local host")]
    [InlineData("http://localhost?x=1")]
    [InlineData("http://localhost/#x")]
    [InlineData("http://name:word@localhost")]
    [InlineData("http:\\\\localhost")]
    public void An_unusable_address_sends_nothing(string given)
    {
        KitSDK.Initialize(new KitConfig { LauncherUrl = given });
        KitSDK.Recording.TriggerEvent("mygame_start");
        Assert.Empty(_transport.Held);
    }

    [Fact]
    public void No_address_throws()
    {
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++)
        {
            string tail = new(Enumerable.Range(0, random.Next(12)).Select(_ => (char)random.Next(1, 0x10000)).ToArray());
            KitSDK.Initialize(new KitConfig { LauncherUrl = i % 2 == 0 ? "http://" + tail : tail });
            KitSDK.Recording.TriggerEvent("mygame_start");
            _transport.SettleAll();
        }
    }
}
