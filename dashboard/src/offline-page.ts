// The page that the browser shows if the launcher is not running when the dashboard is opened or reloaded, in the
// reader's language and colours. It is stored in the browser for the service worker `public/offline.js`.
import { useEffect } from "react";
import { trustedScript } from "./api/trusted-script.ts";
import { startCommand, useCommandOptions, withCommandOptions } from "./api/use-launcher.ts";
import { currentLanguage, t } from "./language/language.ts";
import { type Appearance, useAppearance } from "./ui/appearance.ts";
import mark from "./ui/mark.svg?raw";

/** The worker's name for its cache. */
const name = "kit-offline";
const askEveryMs = 2_000;

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const style = (appearance: Appearance) => `
:root { color-scheme: ${appearance === "system" ? "light dark" : appearance}; font: 15px/1.5 system-ui, sans-serif;
  color: light-dark(#1c2024, #edeef0); background: light-dark(#fcfcfd, #111113) }
body { margin: 0 } main { min-height: 100vh; display: grid; place-content: center; justify-items: center; text-align: center }
svg { width: 56px } h1 { font-size: 22px; margin: 12px 16px 0 } p { max-width: 34em; margin: 12px 16px }
code { margin: 4px 16px; padding: 8px 12px; border-radius: 8px; overflow-wrap: anywhere; font-size: 13px;
  background: light-dark(#f0f0f3, #212225) }`;

const script = `setInterval(() => fetch("/api/health").then(({ ok }) => ok && location.reload(), () => undefined), ${askEveryMs})`;

function offlinePage(command: string, appearance: Appearance): Response {
  const nonce = crypto.randomUUID();
  const policy = [
    `default-src 'none'; connect-src 'self'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types 'none'",
  ].join("; ");
  const title = t("Kit is not running");
  const text = t(
    "Start Kit as you start your other programs, or in a terminal. Then the dashboard opens here by itself.",
  );
  const html = `<!doctype html>
<html lang="${currentLanguage()}"><head><meta charset="utf-8"><title>Kit</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style nonce="${nonce}">${style(appearance)}</style></head>
<body><main>${mark}<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><code>${escapeHtml(command)}</code></main>
<script nonce="${nonce}">${script}</script></body></html>`;
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  });
}

/** Fails in a browser without service workers. */
async function prepare(page: Response): Promise<void> {
  await (await caches.open(name)).put("/", page);
  await navigator.serviceWorker.register(trustedScript("/offline.js"));
}

/** Keeps the page ready. A browser that has no service workers, or forbids them here, shows its own error page instead. */
export function OfflinePage() {
  const options = useCommandOptions();
  const [{ choice }] = useAppearance();
  useEffect(() => {
    if (options === undefined) return;
    void prepare(offlinePage(withCommandOptions(startCommand(), options), choice)).catch(() => undefined);
  }, [options, choice]);
  return null;
}
