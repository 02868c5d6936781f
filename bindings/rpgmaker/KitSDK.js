// KitSDK.js: tells a Kit launcher on this machine about moments, errors and news of the game. Never stops the game.
/*:
 * @target MZ MV
 * @plugindesc Sends recording triggers, error reports and social triggers to a Kit launcher.
 * @author Kit
 *
 * @param Launcher URL
 * @text Launcher URL
 * @desc Where the Kit launcher listens. Leave it as it is unless you changed the launcher's port.
 * @type string
 * @default http://127.0.0.1:9876
 *
 * @param Enable Recording
 * @text Enable Recording
 * @desc Send recording triggers (KitSDK.Recording).
 * @type boolean
 * @on Send
 * @off Do not send
 * @default true
 *
 * @param Enable Monitor
 * @text Enable Monitor
 * @desc Send error reports (KitSDK.Monitor).
 * @type boolean
 * @on Send
 * @off Do not send
 * @default true
 *
 * @param Enable Social
 * @text Enable Social
 * @desc Send social triggers (KitSDK.Social).
 * @type boolean
 * @on Send
 * @off Do not send
 * @default true
 *
 * @param Build
 * @text Build
 * @desc The version of your game, such as 1.4.2. Error reports name it. Leave it empty and they name none.
 * @type string
 * @default
 *
 * @param Report Uncaught Errors
 * @text Report Uncaught Errors
 * @desc Also report errors that nobody caught, such as the one on the error screen. Needs Enable Monitor.
 * @type boolean
 * @on Report
 * @off Do not report
 * @default false
 *
 * @help KitSDK.js
 *
 * Call these from an event's Script command, or from any other plugin:
 *
 *   KitSDK.Recording.triggerEvent("mygame_boss_defeated");
 *   KitSDK.Social.triggerEvent("mygame_all_stars");
 *   KitSDK.Monitor.reportError("The save file is damaged", "Map012, event 7");
 *
 * An event ID is written <game>_<event>. Nothing has to be registered first.
 *
 * Each call sends one small message to the launcher and returns at once.
 * When no launcher runs, nothing happens: no error, no message, no delay.
 *
 * To switch Kit off, set the three Enable parameters to "Do not send". Do not
 * switch the plugin itself off while anything names KitSDK: a Script command
 * that does then stops the game (ReferenceError: KitSDK is not defined). A
 * line that has to work without the plugin asks first:
 *
 *   window.KitSDK && KitSDK.Recording.triggerEvent("mygame_boss_defeated");
 *
 * KitSDK.Config shows the settings in use; it cannot be changed while the
 * game runs.
 *
 * Report Uncaught Errors reports what stops the game or would be lost, with
 * its stack: at most 10 a second, each once. The game's own handlers and its
 * error screen stay as they are. It wraps SceneManager.catchException.
 *
 * The file may lie in a sub-folder of js/plugins. It has no plugin commands
 * and, unless Report Uncaught Errors is on, changes no part of the engine. Its
 * place in the list is free, but it reports no error of a plugin above it.
 */
/*:ja
 * @target MZ MV
 * @plugindesc 録画のきっかけ、エラー報告、SNS投稿のきっかけをKitランチャーに送ります。
 * @author Kit
 *
 * @param Launcher URL
 * @text ランチャーのURL
 * @desc Kitランチャーの待ち受け先です。ポートを変えていなければ、このままにしてください。
 * @type string
 * @default http://127.0.0.1:9876
 *
 * @param Enable Recording
 * @text 録画を有効にする
 * @desc 録画のきっかけを送ります(KitSDK.Recording)。
 * @type boolean
 * @on 送る
 * @off 送らない
 * @default true
 *
 * @param Enable Monitor
 * @text エラー報告を有効にする
 * @desc エラー報告を送ります(KitSDK.Monitor)。
 * @type boolean
 * @on 送る
 * @off 送らない
 * @default true
 *
 * @param Enable Social
 * @text SNS連携を有効にする
 * @desc SNS投稿のきっかけを送ります(KitSDK.Social)。
 * @type boolean
 * @on 送る
 * @off 送らない
 * @default true
 *
 * @param Build
 * @text ビルド
 * @desc ゲームのバージョン(例: 1.4.2)です。エラー報告に付きます。空なら付きません。
 * @type string
 * @default
 *
 * @param Report Uncaught Errors
 * @text 捕捉されないエラーを報告する
 * @desc エラー画面に出るものなど、どこにも捕捉されなかったエラーも報告します。エラー報告を有効にする必要があります。
 * @type boolean
 * @on 報告する
 * @off 報告しない
 * @default false
 *
 * @help KitSDK.js
 *
 * イベントの「スクリプト」コマンド、または他のプラグインから呼び出します。
 *
 *   KitSDK.Recording.triggerEvent("mygame_boss_defeated");
 *   KitSDK.Social.triggerEvent("mygame_all_stars");
 *   KitSDK.Monitor.reportError("セーブデータが壊れています", "Map012, event 7");
 *
 * イベントIDは「ゲーム名_イベント名」の形で書きます。事前の登録は不要です。
 *
 * 呼び出すたびに小さなメッセージを一つ送り、すぐに戻ります。
 * ランチャーが起動していないときは何も起こりません。エラーも待ち時間もありません。
 *
 * Kitを止めるには、三つの「…を有効にする」を「送らない」にしてください。
 * KitSDK を使うスクリプトが残っている間は、プラグイン自体をOFFにしないで
 * ください。そのスクリプトでゲームが止まります
 * (ReferenceError: KitSDK is not defined)。
 * プラグインがなくても動くようにするには、先に確かめます。
 *
 *   window.KitSDK && KitSDK.Recording.triggerEvent("mygame_boss_defeated");
 *
 * KitSDK.Config で現在の設定を読めます。ゲーム中に変更することはできません。
 *
 * 「捕捉されないエラーを報告する」をONにすると、ゲームを止めたエラーなどを
 * スタックとともに報告します。1秒に最大10件、同じエラーは一度だけです。
 * ゲーム側の処理とエラー画面はそのままです。SceneManager.catchException を
 * 包みます。
 *
 * js/plugins のサブフォルダーに置いても動きます。プラグインコマンドはなく、
 * 「捕捉されないエラーを報告する」がOFFならエンジンの処理を書き換えません。
 * プラグイン一覧のどこに置いてもかまいませんが、上にあるプラグインの
 * 読み込み時のエラーは報告されません。
 */

/**
 * The game's side of Kit. Every function may be called at any time once the plugins are loaded, returns undefined at
 * once and never throws, whatever it is given and whatever the launcher does. JavaScript runs on the game's one thread;
 * the engine does the sending beside it, so no frame waits for the network.
 * @namespace
 */
var KitSDK = (function () {
  "use strict";

  var KIT = {
    defaultUrl: "http://127.0.0.1:9876",
    recordingPath: "/api/recording/trigger",
    monitorPath: "/api/monitor/report",
    socialPath: "/api/social/trigger",
    timeoutMs: 5000,
    pendingMax: 64,
    quitFlushMs: 250,
    buildCharsMax: 100,
    uncaughtPerSecondMax: 10,
  };

  /** The result of `action`, or `otherwise` when it throws: nothing may escape into the game from here. */
  function attempt(action, otherwise) {
    try {
      return action();
    } catch (error) {
      return otherwise;
    }
  }

  // ---- Settings: read once, while the file loads --------------------------------------------------------------------

  /** The names this plugin may be listed under: MV stores parameters by the path in js/plugins, MZ by the file's name. */
  function listedNames() {
    // Only set while this file runs, so it cannot be asked for later.
    var source = document.currentScript.src.split(/[?#]/)[0];
    var path = attempt(decodeURIComponent.bind(null, source), source);
    var listed = path.replace(/^.*\/js\/plugins\//i, "").replace(/\.js$/i, "");
    return [listed, listed.split("/").pop()];
  }

  function parametersOf(name) {
    return attempt(function () {
      return PluginManager.parameters(name);
    }, {});
  }

  /** What the plugin manager holds: strings only, and any of them may be missing. */
  function readParameters() {
    var names = attempt(listedNames, []).concat("KitSDK");
    for (var i = 0; i < names.length; i += 1) {
      var found = parametersOf(names[i]);
      if (found && Object.keys(found).length > 0) return found;
    }
    return {};
  }

  /** A switch is on unless it says "false": one added by hand, or newer than the game's list, has no value yet. */
  function isOn(value) {
    return String(value).trim().toLowerCase() !== "false";
  }

  /** What is off by itself is on only when it says so. */
  function isAskedFor(value) {
    return String(value).trim().toLowerCase() === "true";
  }

  function readBuild(value) {
    var build = value === undefined || value === null ? "" : String(value);
    return build.trim().slice(0, KIT.buildCharsMax).trim();
  }

  function readConfig() {
    var parameters = readParameters();
    var url = parameters["Launcher URL"];
    return {
      launcherUrl: String(url === undefined || url === null ? KIT.defaultUrl : url).replace(/^\s+|[\s\/]+$/g, ""),
      enableRecording: isOn(parameters["Enable Recording"]),
      enableMonitor: isOn(parameters["Enable Monitor"]),
      enableSocial: isOn(parameters["Enable Social"]),
      build: readBuild(parameters.Build),
      reportUncaughtErrors: isAskedFor(parameters["Report Uncaught Errors"]),
    };
  }

  var config = attempt(readConfig, {
    launcherUrl: KIT.defaultUrl,
    enableRecording: true,
    enableMonitor: true,
    enableSocial: true,
    build: "",
    reportUncaughtErrors: false,
  });

  // An address without a scheme would be taken as a path inside the game's own folder; a password belongs into none.
  var hasUsableUrl = /^https?:\/\/[^\s\/?#@]+(\/[^\s?#]*)?$/i.test(config.launcherUrl);

  // What making a request costs is the engine's business, a fraction of a millisecond. No frame pays for it while it is
  // at work, and a burst takes turns.
  var TURN_MS = 8;
  var TURN_SENDS = 4;

  // ---- Payload ------------------------------------------------------------------------------------------------------

  /** `value` as text; "" for what is no text: undefined, null, symbols, functions, objects that do not say how. */
  function textOf(value) {
    return attempt(function () {
      var type = typeof value;
      if (type === "string" || type === "number" || type === "boolean" || type === "bigint") return String(value);
      if (type !== "object" || value === null || value.toString === Object.prototype.toString) return "";
      return String(value);
    }, "");
  }

  var halfPair = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]/;

  /** `text` as a JSON string. Engines before 2019 leave half a surrogate pair as it is, and no UTF-8 can carry that. */
  function quote(text) {
    var quoted = JSON.stringify(text);
    // A call of a function for each pair would make a long text cost several frames, so it is looked for first.
    if (!halfPair.test(quoted)) return quoted;
    return quoted.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, function (found) {
      return found.length === 2 ? found : "\\u" + found.charCodeAt(0).toString(16);
    });
  }

  /** A payload whose members are all strings, closed by the time of the call. */
  function payloadOf(members) {
    var timestamp = new Date().toISOString();
    // A game or plugin may have replaced Date. A payload without a real time would only be refused.
    if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(timestamp)) throw new Error("no clock");
    var written = Object.keys(members).map(function (name) {
      return quote(name) + ":" + quote(members[name]);
    });
    return "{" + written.concat('"timestamp":' + quote(timestamp)).join(",") + "}";
  }

  // ---- Transport ----------------------------------------------------------------------------------------------------

  var pending = 0;
  var newestAtMs = 0;
  var waiting = [];
  var isTurnAhead = false;
  var isClosing = false;
  /** Chromium before 81 refuses what would outlive its page and asks for permission first, as JSON does. */
  var isEngineOld = attempt(function () {
    return Number(/ Chrome\/(\d+)/.exec(navigator.userAgent)[1]) < 81;
  }, false);
  /** Requests under way that the browser may finish without the page. */
  var outliving = { count: 0, bytes: 0 };

  function now() {
    return Date.now();
  }

  /** Counts a request in; what it returns counts it out, once, however often the engine says that it is over. */
  function begin() {
    var isPending = true;
    newestAtMs = attempt(now, 0);
    pending += 1;
    return function () {
      if (isPending) pending -= 1;
      isPending = false;
    };
  }

  /** Where the engine has it: NW.js asks the player for a password when an XMLHttpRequest is answered with 401. */
  function hasFetch() {
    return typeof fetch === "function" && typeof Promise === "function";
  }

  /** Nobody reads the answer, and one without an end would fill the memory: it is let go once its head is there. */
  function dropAnswer(control, answer) {
    if (control) control.abort();
    else if (answer && answer.body) {
      answer.body.cancel().then(null, function () {
        // It was over by itself.
      });
    }
  }

  /**
   * True if the browser may go on sending this after its page has closed. It refuses a tenth request of this kind, and
   * more than 64 KiB of them, so other requests go without. A character takes at most three bytes.
   */
  function canOutlivePage(body) {
    if (!isClosing || isEngineOld || outliving.count >= 9 || outliving.bytes + 3 * body.length > 65536) return false;
    outliving.count += 1;
    outliving.bytes += 3 * body.length;
    return true;
  }

  /** One POST. */
  function sendByFetch(url, body) {
    var settle = begin();
    var control = attempt(function () {
      return new AbortController();
    });
    var timer;
    var canOutlive = canOutlivePage(body);
    function end(answer) {
      settle();
      if (canOutlive) {
        outliving.count -= 1;
        outliving.bytes -= 3 * body.length;
        canOutlive = false;
      }
      attempt(function () {
        clearTimeout(timer);
      });
      attempt(dropAnswer.bind(null, control, answer));
    }
    var options = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: body,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
    };
    if (control) options.signal = control.signal;
    if (canOutlive) options.keepalive = true;
    try {
      // `end` throws nothing, and takes a failure too: MZ stops for a rejection that nobody handles.
      fetch(url, options).then(end, end);
    } catch (error) {
      end();
    }
    attempt(function () {
      // Without a way to end it (before Chromium 66) the request counts for as long as the engine keeps it.
      if (control) timer = setTimeout(end, KIT.timeoutMs);
    });
  }

  /** One POST from an engine without fetch, which is older than any MZ. */
  function sendByXhr(url, body) {
    var request = new XMLHttpRequest();
    request.open("POST", url, true);
    request.setRequestHeader("Content-Type", "application/json");
    request.timeout = KIT.timeoutMs;
    var settle = begin();
    request.onload = request.onerror = request.onabort = request.ontimeout = request.onloadend = settle;
    request.onreadystatechange = function () {
      if (request.readyState !== 2) return;
      settle();
      attempt(request.abort.bind(request));
    };
    try {
      request.send(body);
    } catch (error) {
      settle();
    }
  }

  function sendNow(path, body) {
    (hasFetch() ? sendByFetch : sendByXhr)(config.launcherUrl + path, body);
  }

  function sendWaiting(count) {
    for (var left = count; left > 0 && waiting.length > 0; left -= 1) attempt(waiting.shift());
  }

  /** Where timers are held back, as in a window nobody sees, a turn makes up for those that were missed. */
  function takeTurn(dueAtMs) {
    var missed = Math.floor((attempt(now, 0) - dueAtMs) / TURN_MS);
    isTurnAhead = false;
    sendWaiting(TURN_SENDS * (missed > 0 ? missed + 1 : 1));
    if (waiting.length > 0) awaitTurn(TURN_MS);
  }

  function awaitTurn(inMs) {
    if (isTurnAhead) return;
    var dueAtMs = attempt(now, 0) + inMs;
    attempt(function () {
      setTimeout(attempt.bind(null, takeTurn.bind(null, dueAtMs)), inMs);
      isTurnAhead = true;
    });
    // Without timers nobody would come back to them.
    if (!isTurnAhead) sendWaiting(KIT.pendingMax);
  }

  /** Sends as soon as the game's own work of this moment is done. */
  function post(path, body) {
    waiting.push(sendNow.bind(null, path, body));
    awaitTurn(0);
  }

  /**
   * Holds a closing window until its newest event is KIT.quitFlushMs old. The engine sends beside the game's thread, but
   * takes what is not yet on its way down with the page: without this, about half of the last tick's events are lost.
   * What the browser may send without the page arrives also on a computer that is too busy for that time.
   */
  function letGo() {
    isClosing = true;
    sendWaiting(KIT.pendingMax);
    // The player may have been asked, and have stayed.
    isClosing = false;
    if (pending === 0) return;
    // A plugin may have stopped the clock: a million turns take longer than a millisecond anywhere.
    for (var turns = 0, seenMs = 0; turns < 1e6; turns += 1) {
      var ageMs = now() - newestAtMs;
      if (!(ageMs >= 0 && ageMs < KIT.quitFlushMs)) return;
      if (ageMs !== seenMs) turns = 0;
      seenMs = ageMs;
    }
  }

  attempt(function () {
    // Not pagehide or unload: by then the engine has already begun to let go.
    window.addEventListener("beforeunload", function () {
      attempt(letGo);
    });
  });

  /** Sends, or does nothing: when switched off, without a usable address, or while too many requests wait. Says which. */
  function send(isEnabled, path, members) {
    return attempt(function () {
      if (!isEnabled || !hasUsableUrl || pending + waiting.length >= KIT.pendingMax) return false;
      post(path, payloadOf(members));
      return true;
    }, false);
  }

  function trigger(isEnabled, path, eventId) {
    var id = textOf(eventId);
    if (id !== "") send(isEnabled, path, { eventId: id });
  }

  function report(message, stackTrace) {
    var members = { message: message, stackTrace: stackTrace };
    if (config.build !== "") members.build = config.build;
    return send(config.enableMonitor, KIT.monitorPath, members);
  }

  // ---- Errors that nobody caught ------------------------------------------------------------------------------------

  var isReporting = false;
  /** When the last ones were reported, oldest first. */
  var reportedAtMs = [];
  var unreported = 0;
  /** One error can reach several hooks. Chromium before 36 lacks this, and also the hook that could get an error again. */
  var reported = attempt(function () {
    return new WeakSet();
  });

  function isNew(reason) {
    return attempt(function () {
      if (!reported || Object(reason) !== reason) return true;
      if (reported.has(reason)) return false;
      reported.add(reason);
      return true;
    }, true);
  }

  /** A clock that was set back blocks nothing. */
  function isOneTooMany() {
    var passedMs = attempt(now, 0) - reportedAtMs[0];
    return reportedAtMs.length === KIT.uncaughtPerSecondMax && passedMs >= 0 && passedMs < 1000;
  }

  /** The text of what was thrown. MZ throws an array, with a function at its end, for a file that does not load. */
  function reasonOf(reason) {
    return attempt(function () {
      return Array.isArray(reason) ? reason.slice(0, 2).map(textOf).join(": ") : textOf(reason);
    }, "");
  }

  function stackOf(reason) {
    return attempt(function () {
      return textOf(reason.stack);
    }, "");
  }

  /** Reports what nobody caught; `message` and `place` are for what was thrown without a text or a stack. */
  function reportUncaught(reason, message, place) {
    var text = reasonOf(reason) || textOf(message);
    if (text === "" || !isNew(reason)) return;
    unreported += 1;
    if (isOneTooMany()) return;
    var lines = [stackOf(reason) || place];
    if (unreported > 1) lines.push("Uncaught errors not reported before this one: " + (unreported - 1));
    if (report(text, lines.filter(Boolean).join("\n"))) unreported = 0;
    // The second begins once it is reported, however busy the computer was meanwhile.
    reportedAtMs = reportedAtMs.concat(attempt(now, 0)).slice(-KIT.uncaughtPerSecondMax);
  }

  /** Nothing that goes wrong meanwhile is reported: it would come from here. */
  function guarded(action) {
    if (isReporting) return;
    isReporting = true;
    attempt(action);
    isReporting = false;
  }

  function onError(event) {
    guarded(function () {
      var place = event.filename ? "    at " + [event.filename, event.lineno, event.colno].join(":") : "";
      reportUncaught(event.error, event.message, place);
    });
  }

  function onRejection(event) {
    guarded(function () {
      reportUncaught(event.reason, "A promise was rejected without a reason", "");
    });
  }

  /** What a frame throws reaches no event of the window: the engine catches it and shows its error screen. */
  function watchFrames() {
    var catchException = SceneManager.catchException;
    if (typeof catchException !== "function") return;
    SceneManager.catchException = function (error) {
      guarded(function () {
        reportUncaught(error, "UnknownError", "");
      });
      // biome-ignore lint/complexity/noArguments: ES5 has no rest parameters.
      return catchException.apply(this, arguments);
    };
  }

  if (config.reportUncaughtErrors && config.enableMonitor && hasUsableUrl) {
    attempt(function () {
      window.addEventListener("error", onError);
      window.addEventListener("unhandledrejection", onRejection);
    });
    attempt(watchFrames);
  }

  // ---- Public -------------------------------------------------------------------------------------------------------

  var sdk = {
    /** @namespace KitSDK.Recording Moments worth a clip. */
    Recording: {
      /**
       * Tells the launcher that this moment is worth a clip. Never throws, never waits.
       * @param {string} eventId By convention `<game>_<event>`. When empty, nothing is sent.
       * @returns {void}
       */
      triggerEvent: function (eventId) {
        trigger(config.enableRecording, KIT.recordingPath, eventId);
      },
    },

    /** @namespace KitSDK.Monitor Errors and diagnostics. */
    Monitor: {
      /**
       * Reports that something went wrong. Never throws, never waits.
       * @param {string} message What went wrong; an Error may be given as it is. When empty, nothing is sent.
       * @param {string} [stackTrace=""] Where it went wrong, for example `error.stack`.
       * @returns {void}
       */
      reportError: function (message, stackTrace) {
        var text = textOf(message);
        if (text !== "") report(text, textOf(stackTrace));
      },
    },

    /** @namespace KitSDK.Social Moments worth telling. */
    Social: {
      /**
       * Tells the launcher that this moment is worth telling. Never throws, never waits.
       * @param {string} eventId By convention `<game>_<event>`. When empty, nothing is sent.
       * @returns {void}
       */
      triggerEvent: function (eventId) {
        trigger(config.enableSocial, KIT.socialPath, eventId);
      },
    },
  };

  /**
   * The settings in use, from the plugin manager. Read-only.
   * @name KitSDK.Config
   * @type {{launcherUrl: string, enableRecording: boolean, enableMonitor: boolean, enableSocial: boolean, build: string,
   *   reportUncaughtErrors: boolean}}
   */
  Object.defineProperty(sdk, "Config", { value: Object.freeze(config), enumerable: true });
  return sdk;
})();
