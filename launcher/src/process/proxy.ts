// Proxies that the environment names. Kit uses none: a proxy would resolve names itself, so Kit could not check the addresses.

const settings = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/** Returns the variables that name a proxy. Programs read them in capital and in small letters, which are one on Windows. */
export const proxySettings = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env).filter((name) => settings.includes(name.toUpperCase()) && env[name]);

/** Makes this process connect directly, also if the environment or a flag tells Node to use the proxies of the environment. */
export async function ignoreProxies(env: NodeJS.ProcessEnv, flags: readonly string[]): Promise<void> {
  const isAsked = Boolean(env.NODE_USE_ENV_PROXY) || [env.NODE_OPTIONS, ...flags].join(" ").includes("use-env-proxy");
  // Otherwise Node uses no proxy, and loading its HTTP client would slow every command down.
  if (!isAsked) return;
  const { setGlobalProxyFromEnv } = await import("node:http");
  // A call without a proxy would change nothing, so this one names a proxy for no host.
  const proxy = "http://127.0.0.1:1";
  setGlobalProxyFromEnv({ http_proxy: proxy, https_proxy: proxy, no_proxy: "*" });
}
