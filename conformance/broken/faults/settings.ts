// Faults in the handling of settings: switches, defaults, initialization and addresses.
import { defaults, type Kit } from "../../reference/binding.ts";
import { change, type Faults } from "./change.ts";

const changeConfig = (kit: Kit, by: (config: Parameters<Kit["initialize"]>[0]) => Parameters<Kit["initialize"]>[0]) =>
  change(kit, "initialize", (initialize) => (config) => initialize(by(config)));

const changeBase = (kit: Kit, by: (base: string, launcherUrl: string) => string | undefined) =>
  change(kit, "baseOf", (baseOf) => (launcherUrl) => {
    const base = baseOf(launcherUrl);
    return base === undefined ? undefined : by(base, launcherUrl);
  });

export const settingsFaults = {
  "sends-empties": (kit) =>
    change(kit, "call", (call) => (service, text, members) => {
      call(service, text || "empty", text ? members : { ...members, [Object.keys(members)[0] ?? ""]: "" });
    }),
  "ignores-switches": (kit) => change(kit, "isOn", () => () => true),
  "mixes-up-switches": (kit) =>
    change(kit, "isOn", (isOn) => (service) => isOn(service === "recording" ? "social" : "recording")),
  "first-configuration-stays": (kit) =>
    change(kit, "initialize", (initialize) => (config) => {
      if (!kit.isInitialized) initialize(config);
    }),
  "other-defaults": (kit) => changeConfig(kit, (config) => ({ enableSocial: false, ...config })),
  "ignores-builds": (kit) => changeConfig(kit, ({ build: _, ...config } = {}) => config),
  "keeps-long-builds": (kit) => {
    kit.buildCharsMax = 1_000;
  },
  "other-default-port": (kit) => changeConfig(kit, (config) => ({ launcherUrl: "http://127.0.0.1:9", ...config })),
  "ignores-configuration": (kit) => changeConfig(kit, () => defaults),
  "changes-address": (kit) =>
    changeConfig(kit, ({ launcherUrl = defaults.launcherUrl, ...config } = {}) => ({
      ...config,
      launcherUrl: `${launcherUrl}/`,
    })),
  "starts-by-itself": (kit) => kit.initialize(),
  "waits-to-be-asked": (kit) =>
    change(kit, "call", (call) => (...given) => {
      if (kit.isInitialized) call(...given);
    }),
  "keeps-slash": (kit) => changeBase(kit, (base, launcherUrl) => base + (/\/+$/.exec(launcherUrl.trim())?.[0] ?? "")),
  "drops-path": (kit) => changeBase(kit, (base) => new URL(base).origin),
  "keeps-blanks": (kit) =>
    changeBase(kit, (base, launcherUrl) => (launcherUrl === launcherUrl.trim() ? base : undefined)),
  "small-letters-only": (kit) => changeBase(kit, (base, launcherUrl) => (/[A-Z]/.test(launcherUrl) ? undefined : base)),
  "no-ipv6": (kit) => changeBase(kit, (base) => (base.includes("[") ? undefined : base)),
  "takes-any-address": (kit) =>
    change(
      kit,
      "baseOf",
      () => (text) => new URL(text.includes("://") ? text : `http://${text}`).href.replace(/\/$/, ""),
    ),
  "falls-back-to-default": (kit) =>
    change(kit, "baseOf", (baseOf) => (launcherUrl) => baseOf(launcherUrl) ?? defaults.launcherUrl),
  "mends-addresses": (kit) =>
    change(kit, "baseOf", (baseOf) => (text) => baseOf(text.replace(/\s|[?#].*|\w+:\w+@/g, "").replaceAll("\\", "/"))),
  "throws-at-addresses": (kit) =>
    change(kit, "initialize", (initialize) => (config) => {
      initialize(config);
      new URL(config?.launcherUrl ?? defaults.launcherUrl);
    }),
} satisfies Faults;
