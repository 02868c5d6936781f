// Plays cases in a web page, as an HTML5 export does: requests go by XMLHttpRequest. Bundled for it by page-driver.ts.
import { html5 } from "../test/runtime/html5.ts";
import type { Http } from "../test/runtime/http.ts";
import { type Home, type Job, noticeEscaped, playAll } from "./case-player.ts";

type PageRequest = {
  readyState: number;
  responseText: string;
  onreadystatechange: () => void;
  open(method: string, url: string, async: true): void;
  setRequestHeader(name: string, value: string): void;
  send(body: string): void;
};

/** What this uses of a page; `say` is the driver's. */
type Page = {
  readonly XMLHttpRequest: new () => PageRequest;
  requestAnimationFrame(next: () => void): void;
  addEventListener(name: string, listener: (event: { message?: string; reason?: unknown }) => void): void;
  say(line: string): Promise<void>;
  play(job: Job): Promise<void>;
};
const page = globalThis as unknown as Page;

/** As the official runtime sends: it reads each answer to its end, sets no timeout, and cannot forbid a redirect. */
function openPageHttp(): Http {
  let pending = 0;
  return {
    pending: () => pending,
    unsent: () => 0,
    send(url, method, headers, body) {
      const sent = new page.XMLHttpRequest();
      sent.open(method, url, true);
      for (const [name, value] of Object.entries(headers)) sent.setRequestHeader(name, value);
      pending += 1;
      sent.onreadystatechange = () => {
        if (sent.readyState === 4) pending -= 1;
        if (sent.readyState === 4) String(sent.responseText);
      };
      sent.send(body);
    },
    close: () => undefined,
  };
}

const { http_request: _, ...functions } = html5;

const home: Home = {
  http: openPageHttp(),
  functions,
  /** Until a frame of the page after that time. */
  pause: (ms) => {
    const untilMs = performance.now() + ms;
    return new Promise((done) => {
      const look = () => (performance.now() >= untilMs ? done() : page.requestAnimationFrame(look));
      page.requestAnimationFrame(look);
    });
  },
  block(ms) {
    for (const untilMs = performance.now() + ms; performance.now() < untilMs; );
  },
  say: (line) => void page.say(JSON.stringify(line)),
  quit: () => Promise.reject(new Error("no case that quits is played in a page")),
};

page.addEventListener("error", ({ message }) => noticeEscaped(home, `uncaught: ${message}`));
page.addEventListener("unhandledrejection", ({ reason }) => noticeEscaped(home, `unhandled rejection: ${reason}`));
page.play = (job) => playAll(home, job);
