// Plays one conformance case inside the game: each step in a frame of it, as an event's Script command would.
(function () {
  const { steps, told, toldFile } = window.$setup.hand;
  const calls = [];
  const failures = [];
  const threw = [];
  const errors = [];
  const reads = [];
  const isNwjs = typeof nw === "object";
  let framesPassed = 0;
  let isDone = false;

  // ---- What the player of the game could see ------------------------------------------------------------------------

  const messageOf = (reason) => String((reason && reason.message) || reason);

  function notice(kind, reason) {
    const error = `${kind}: ${messageOf(reason)}`;
    errors.push(error);
    if (isDone) tell({ errors: [error] });
  }

  window.addEventListener("error", (event) => notice("uncaught", event.message || "a script that does not load"), true);
  window.addEventListener("unhandledrejection", (event) => notice("unhandled rejection", event.reason));
  for (const level of ["error", "warn"]) {
    console[level] = (...words) => notice(`console.${level}`, words.map(messageOf).join(" "));
  }

  // ---- Telling the driver -------------------------------------------------------------------------------------------

  const line = (members) => JSON.stringify({ engine: engineName(), ...members });

  /** A page is told the first number of Chromium's version only. */
  function engineName() {
    if (isNwjs) return `NW.js ${process.versions.nw} (Chromium ${process.versions.chromium})`;
    return `Chromium ${/Chrome\/(\d+)/.exec(navigator.userAgent)[1]}`;
  }

  function tell(members) {
    const request = new XMLHttpRequest();
    request.open("POST", told);
    request.send(line(members));
  }

  /** Arrives although the game ends in this frame, and gives the requests of the game no time to leave meanwhile. */
  function tellAtTheEnd(members) {
    // biome-ignore lint/style/useNodejsImportProtocol: the Node.js in NW.js 0.44 does not know that prefix.
    if (isNwjs) require("fs").appendFileSync(toldFile, line(members));
    else navigator.sendBeacon(told, line(members));
  }

  // ---- Steps --------------------------------------------------------------------------------------------------------

  function textOf(text, n) {
    if (text === null || text === undefined) return text;
    const plain = typeof text === "string" ? text : text.utf16.map((unit) => String.fromCharCode(unit)).join("");
    return n === undefined ? plain : plain.replace(/\{n\}/g, n);
  }

  const operations = {
    recording: ({ eventId }, n) => window.KitSDK.Recording.triggerEvent(textOf(eventId, n)),
    social: ({ eventId }, n) => window.KitSDK.Social.triggerEvent(textOf(eventId, n)),
    monitor: (step, n) => {
      const message = textOf(step.message, n);
      if ("stackTrace" in step) window.KitSDK.Monitor.reportError(message, textOf(step.stackTrace, n));
      else window.KitSDK.Monitor.reportError(message);
    },
  };

  function attempt(action) {
    try {
      action();
    } catch (error) {
      threw.push(messageOf(error));
    }
  }

  /** One call of an operation, with the times before and after it. */
  function call(step, n) {
    const beforeMs = Date.now();
    attempt(() => operations[step.do](step, n));
    return [beforeMs, Date.now()];
  }

  /** The plugin starts by itself when its file loads: loading it once more, under other parameters, is the nearest. */
  function initialize(parameters) {
    const kept = window.PluginManager.parameters("KitSDK");
    for (const name of Object.keys(kept)) Reflect.deleteProperty(kept, name);
    Object.assign(kept, parameters);
    const script = document.createElement("script");
    script.textContent = window.$setup.hand.plugin;
    document.body.appendChild(script);
  }

  function read() {
    const isInitialized = typeof window.KitSDK === "object";
    reads.push(isInitialized ? { initialized: true, config: window.KitSDK.Config } : { initialized: false });
  }

  function block(ms) {
    const untilMs = Date.now() + ms;
    while (Date.now() < untilMs);
  }

  /** What every step does that lets no frame pass. */
  function doNow(step, n) {
    if (step.do in operations) calls.push(call(step, n));
    else if (step.do === "initialize") attempt(() => initialize(step.parameters));
    else if (step.do === "read") read();
    else if (step.do === "repeat") repeat(step);
    else if (step.do === "block") block(step.ms);
    else if (step.do === "pause") window.SceneManager.stop();
    else throw new Error(`no step is called "${step.do}"`);
  }

  function repeat({ times, step }) {
    const before = calls.length;
    for (let n = 1; n <= times; n += 1) {
      doNow(step, n);
      // Only the first and the last count.
      if (calls.length > before + 2) calls.splice(before + 1, 1);
    }
  }

  // ---- Errors that nobody catches -----------------------------------------------------------------------------------

  let failing;

  /** In the frame, as by a Script command; the game has stopped then, and what comes later is thrown where no frame is. */
  function* fail({ message }) {
    const beforeMs = Date.now();
    failing = message;
    yield;
    failures.push([beforeMs, Date.now()]);
  }

  /** By timers, because a game has only one frame that fails. */
  function* failOften(times, { message }) {
    const beforeMs = Date.now();
    let n = 0;
    const throwNext = () => {
      n += 1;
      throw new Error(textOf(message, n));
    };
    for (let left = times; left > 0; left -= 1) setTimeout(throwNext, 0);
    while (n < times) yield;
    failures.push([beforeMs, Date.now()]);
  }

  /** The engine has one thread: half of the calls come from timers, half from microtasks, none from a frame. */
  function* threads({ count, step }) {
    const beforeMs = Date.now();
    let left = count;
    for (let n = 1; n <= count; n += 1) {
      const run = () => {
        attempt(() => operations[step.do](step, n));
        left -= 1;
      };
      if (n % 2 === 0) setTimeout(run, 0);
      else queueMicrotask(run);
    }
    while (left > 0) yield;
    calls.push([beforeMs, Date.now()]);
  }

  function* letPass(isOver) {
    while (!isOver()) yield;
  }

  function* wait(ms) {
    const untilMs = Date.now() + ms;
    yield* letPass(() => Date.now() >= untilMs);
  }

  function* frames(count) {
    const until = framesPassed + count;
    yield* letPass(() => framesPassed >= until);
  }

  const result = () => ({ calls, failures, threw, errors, reads, frames: framesPassed });

  function quit() {
    tellAtTheEnd({ ...result(), quitAtMs: Date.now() });
    if (isNwjs) window.SceneManager.exit();
    else window.location.href = "about:blank";
  }

  // An engine that started a moment ago takes its time with a first request; a game that is quit has run for a while.
  const warmUpFrames = 30;

  function* play() {
    if (steps.some((step) => step.do === "quit")) yield* frames(warmUpFrames);
    for (const step of steps) {
      if (step.do === "frames") yield* frames(step.count);
      else if (step.do === "wait") yield* wait(step.ms);
      else if (step.do === "threads") yield* threads(step);
      else if (step.do === "fail") yield* fail(step);
      else if (step.do === "repeat" && step.step.do === "fail") yield* failOften(step.times, step.step);
      else if (step.do === "quit") return quit();
      else doNow(step);
    }
    isDone = true;
    if (window.$game.stopped) errors.push(`the game stopped: ${window.$game.errors.join("; ")}`);
    tell(result());
  }

  // ---- Frames -------------------------------------------------------------------------------------------------------

  const playing = play();
  let isOver = false;
  let isAsked = false;

  window.$case = {
    next() {
      isAsked = false;
      // A mistake of this script must not look like one of the game.
      try {
        isOver = playing.next().done;
      } catch (error) {
        isOver = true;
        tell({ broken: messageOf(error) });
      }
      if (failing === undefined) return;
      const error = new Error(failing);
      failing = undefined;
      throw error;
    },
  };

  /** Plays on in the game's own frames while it has any; a paused or stopped game leaves only the page's. */
  function onFrame() {
    if (isOver) return;
    // First, because a case may throw.
    requestAnimationFrame(onFrame);
    framesPassed += 1;
    if (window.$game.stopped || window.$game.halted) window.$case.next();
    else if (!isAsked) {
      isAsked = true;
      window.$game.command("$case.next()");
    }
  }

  window.addEventListener("load", () => requestAnimationFrame(onFrame));
})();
