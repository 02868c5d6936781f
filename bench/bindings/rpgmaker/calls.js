// Makes the calls of a plan frame by frame inside the game, and reports their cost. See ../plan.ts.
(() => {
  const { plan, told } = window.$setup.hand;
  const lines = plan.trim().split("\n");
  const valueAt = (name) => lines.find((line) => line.startsWith(`${name}\t`)).split("\t")[1];
  const url = valueAt("url");
  const blocks = lines.filter((line) => !/^(url|frame)\t/.test(line)).map((line) => line.split("\t"));

  // Uses Node's clock, because the page's clock has a resolution of 100 µs.
  function nowUs() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e6 + nanoseconds / 1e3;
  }
  const heapBytes = () => process.memoryUsage().heapUsed;

  function nothing() {
    // What a call costs that does nothing.
  }

  /** The alternative without a binding. */
  function post() {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ eventId: "bench_bare", timestamp: new Date().toISOString() });
    fetch(`${url}/api/recording/trigger`, { method: "POST", headers, body }).catch(nothing);
  }

  const subjects = {
    empty: () => nothing("bench_empty"),
    kit: () => window.KitSDK.Recording.triggerEvent("bench_kit"),
    bare: post,
  };

  function tell(members, then) {
    const request = new XMLHttpRequest();
    request.open("POST", told);
    request.onload = then;
    request.send(JSON.stringify(members));
  }

  /** In a storm only the frames are measured. */
  const makers = {
    calls(call, callsUs) {
      const before = nowUs();
      call();
      callsUs.push(nowUs() - before);
    },
    storm: (call) => call(),
  };

  function play(number) {
    if (number === blocks.length) return tell({ done: true });
    const [subject, mode, frames, calls, restMs] = blocks[number];
    const call = subjects[subject];
    const make = makers[mode];
    const callsUs = [];
    const framesUs = [];
    const heapBefore = heapBytes();
    let framesLeft = Number(frames);
    let restsUntilMs = 0;

    function frame() {
      const beganUs = nowUs();
      if (framesLeft > 0) {
        for (let made = 0; made < calls; made += 1) make(call, callsUs);
        framesLeft -= 1;
        if (framesLeft === 0) restsUntilMs = Date.now() + Number(restMs);
      } else if (Date.now() >= restsUntilMs) {
        const engine = `NW.js ${process.versions.nw}`;
        const end = { end: number, engine, callsUs, framesUs, heapBytes: [heapBefore, heapBytes()] };
        return tell(end, () => play(number + 1));
      }
      framesUs.push(nowUs() - beganUs);
      requestAnimationFrame(frame);
    }
    tell({ begin: number }, () => requestAnimationFrame(frame));
  }

  window.addEventListener("load", () => play(0));
})();
