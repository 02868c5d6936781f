// Ways in which a web page can send to, read from or embed a local service, as scripts that run in the page.

/** The result of an attempt, as far as the page can see it. */
export type Outcome = { readonly vector: string; readonly status: number; readonly text: string };

/** Runs in the page. KIT is the launcher's address, NAME the event id that identifies the sender. */
export const vectorsScript = `(async (KIT, NAME) => {
  const body = (vector) => JSON.stringify({ eventId: NAME + "_" + vector, timestamp: new Date().toISOString() });
  const ingest = KIT + "/api/recording/trigger";
  const outcomes = [];
  const attempt = async (vector, action) => {
    let outcome = { vector, status: 0, text: "" };
    try {
      const answer = await action(body(vector));
      if (answer) outcome = { vector, status: answer.status, text: String(await answer.text()).slice(0, 2000) };
    } catch (error) {
      outcome.text = String(error);
    }
    outcomes.push(outcome);
  };
  const loaded = (element, address) => new Promise((resolve) => {
    element.onload = element.onerror = () => resolve();
    if (address) element.src = address;
    document.body.append(element);
  });
  const form = (enctype, name) => async (text) => {
    const frame = document.createElement("iframe");
    frame.name = name;
    await loaded(frame, "about:blank");
    const sent = document.createElement("form");
    Object.assign(sent, { method: "POST", action: ingest, enctype, target: name });
    const input = document.createElement("input");
    // text/plain writes a field "name=value" unchanged; here the two form JSON.
    [input.name, input.value] = [text.slice(0, -2) + '","x":"', '"}'];
    sent.append(input);
    document.body.append(sent);
    const answered = new Promise((resolve) => { frame.onload = resolve; });
    sent.submit();
    await answered;
  };
  const json = { "content-type": "application/json" };
  const post = (init) => (text) => fetch(ingest, { method: "POST", body: text, ...init });

  await attempt("cors-json", post({ headers: json }));
  await attempt("cors-json-with-cookies", post({ headers: json, credentials: "include" }));
  await attempt("cors-text", post({ headers: { "content-type": "text/plain" } }));
  await attempt("cors-untyped", (text) => fetch(ingest, { method: "POST", body: new Blob([text]) }));
  await attempt("no-cors", post({ mode: "no-cors" }));
  await attempt("no-cors-json", post({ mode: "no-cors", headers: json }));
  await attempt("put", (text) => fetch(ingest, { method: "PUT", body: text, headers: json }));
  await attempt("extra-header", post({ headers: { ...json, "x-kit-session": "x" } }));
  await attempt("beacon-text", async (text) => void navigator.sendBeacon(ingest, text));
  await attempt("beacon-json", async (text) => void navigator.sendBeacon(ingest, new Blob([text], { type: "application/json" })));
  await attempt("form-text", form("text/plain", "text"));
  await attempt("form-urlencoded", form("application/x-www-form-urlencoded", "urlencoded"));
  await attempt("form-multipart", form("multipart/form-data", "multipart"));
  await attempt("image", () => loaded(document.createElement("img"), ingest));
  await attempt("script", () => loaded(document.createElement("script"), KIT + "/api/events"));
  await attempt("read-health", () => fetch(KIT + "/api/health"));
  await attempt("read-health-no-cors", () => fetch(KIT + "/api/health", { mode: "no-cors" }));
  await attempt("read-events", () => fetch(KIT + "/api/events"));
  await attempt("read-events-with-cookies", () => fetch(KIT + "/api/events", { credentials: "include" }));
  await attempt("read-events-encoded", () => fetch(KIT + "/%61pi/events", { credentials: "include" }));
  await attempt("read-page", () => fetch(KIT + "/"));
  await attempt("write-services", () => fetch(KIT + "/api/services", { method: "PUT", body: '{"recording":false}', headers: json, credentials: "include" }));
  await attempt("make-ticket", () => fetch(KIT + "/api/tickets", { method: "POST", credentials: "include" }));
  await attempt("event-source", () => new Promise((resolve) => {
    const source = new EventSource(KIT + "/api/feed", { withCredentials: true });
    source.onopen = () => resolve({ status: 200, text: () => "opened" });
    source.onerror = () => { source.close(); resolve(); };
  }));
  await attempt("web-socket", () => new Promise((resolve) => {
    const socket = new WebSocket(KIT.replace("http", "ws") + "/api/feed");
    socket.onopen = () => resolve({ status: 200, text: () => "opened" });
    socket.onclose = () => resolve();
  }));
  await attempt("frame", () => loaded(document.createElement("iframe"), KIT + "/"));
  return outcomes;
})`;
