// Service worker: shows one page if the launcher does not answer when the dashboard is opened or reloaded. It stores nothing
// else, and leaves every other request to the browser. `src/offline-page.ts` writes the page.
const cacheName = "kit-offline";

/** Whether the answer comes from a Kit that has this worker. Otherwise an older Kit or another program uses the port. */
const isOfKit = (response) => (response.headers.get("content-security-policy") ?? "").includes(cacheName);

async function leave() {
  await caches.delete(cacheName);
  await registration.unregister();
}

async function open(event) {
  try {
    // Not the request itself: it would arrive as one that another page's script made, if another page has the link.
    const response = await fetch(event.request.url);
    if (!isOfKit(response)) event.waitUntil(leave());
    return response;
  } catch (error) {
    const page = await caches.match("/", { cacheName });
    if (page === undefined) throw error;
    return page;
  }
}

addEventListener("install", (event) => {
  skipWaiting();
  // In browsers with this function, the requests of a page do not pass through this worker.
  const direct = ["/api/*", "/assets/*"].map((urlPattern) => ({ condition: { urlPattern }, source: "network" }));
  event.addRoutes?.(direct).catch(() => undefined);
});

addEventListener("fetch", (event) => {
  const { destination, url } = event.request;
  if (destination === "document" && new URL(url).pathname === "/") event.respondWith(open(event));
});
