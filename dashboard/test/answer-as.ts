// Answers a page in a real browser as a fake launcher does, so that component tests and browser tests share their replies.
import { KitError, type Operation, operations, problemsByCode, toProblem } from "@kit/contract";
import type { Page, Route } from "playwright-core";
import type { FakeLauncher } from "./component/fake-launcher.ts";

const pathOf = ({ path }: Operation) => new RegExp(`^${path.replaceAll(/\{(\w+)\}/gu, "(?<$1>[^/]+)")}$`, "u");

const asValue = (text: string) => (text === "true" || text === "false" ? text === "true" : text);

async function answer(route: Route, launcher: FakeLauncher): Promise<void> {
  const request = route.request();
  const { pathname, searchParams } = new URL(request.url());
  const isAsked = (each: Operation) => each.method === request.method() && pathOf(each).test(pathname);
  const declared = operations.find(isAsked);
  if (declared === undefined || declared.file !== undefined || !launcher.decided.has(declared.id))
    return await route.fallback();
  const given = {
    params: { ...pathOf(declared).exec(pathname)?.groups },
    query: Object.fromEntries([...searchParams].map(([name, text]) => [name, asValue(text)])),
    ...(request.postData() !== null && { body: request.postDataJSON() }),
  };
  try {
    const reply: unknown = await launcher.client.call(declared, given as never);
    await route.fulfill(reply === undefined ? { status: 204 } : { status: declared.status, json: reply });
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    const { status } = problemsByCode[error.code];
    await route.fulfill({ status, contentType: "application/problem+json", json: toProblem(error) });
  }
}

/** Answers all pages in the browser context. Only the real launcher answers what `current` does not decide, and sends files. */
export async function answerAs(page: Page, current: FakeLauncher | (() => FakeLauncher)): Promise<void> {
  const launcher = typeof current === "function" ? current : () => current;
  await page.context().route("**/api/**", (route) => answer(route, launcher()));
}
