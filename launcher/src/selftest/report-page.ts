// The result of the self-test as one HTML page with pictures, to be attached to an issue.
import type { CheckResult, Figures } from "./check.ts";

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Returns `framesPerSecond: 30` as `frames per second: 30`. */
export const figuresInWords = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name.replaceAll(/(?<=[a-z])[A-Z]/g, (found) => ` ${found.toLowerCase()}`)}: ${value}`)
    .join(", ");

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
td:nth-child(2) { min-width: 5rem; overflow-wrap: normal; }
.passed { color: light-dark(#176b2c, #6fd08c); }
.failed { color: light-dark(#a3161b, #ff8d8f); font-weight: 600; }
img { display: block; image-rendering: pixelated; margin-top: .5rem; max-width: 100%; width: 30rem; }
`;

function row({ id, status, figures, advice, picture }: CheckResult): string {
  const image =
    picture === undefined
      ? ""
      : `<img alt="The clock that was recorded" src="data:image/png;base64,${picture.toString("base64")}">`;
  const words = [advice, figuresInWords(figures)].filter(Boolean).map(escapeHtml).join("<br>");
  return `<tr><th scope="row">${escapeHtml(id)}</th><td class="${status}">${status}</td><td>${words}${image}</td></tr>`;
}

/** `about` says which Kit and system this is, without a name of a person. */
export const reportPage = (results: readonly CheckResult[], about: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Kit's self-test</title>
<style>${style}</style>
<h1>Kit's self-test</h1>
<p>${escapeHtml(about)}</p>
<p>The pictures show only the clock that the test itself painted. The page has no names or paths of this computer.</p>
<table>
<thead><tr><th scope="col">Check</th><th scope="col">Result</th><th scope="col">Details</th></tr></thead>
<tbody>
${results.map(row).join("\n")}
</tbody>
</table>
</html>
`;
