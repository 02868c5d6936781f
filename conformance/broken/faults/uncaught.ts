// Faults in the reports of errors that nobody caught.
import { change, type Faults } from "./change.ts";

export const uncaughtFaults = {
  "reports-when-off": (kit) =>
    change(kit, "initialize", (initialize) => (config) => {
      initialize({ ...config, reportUncaughtErrors: true });
    }),
  "reports-by-default": (kit) =>
    change(kit, "initialize", (initialize) => (config) => {
      initialize({ reportUncaughtErrors: true, ...config });
    }),
  "reports-none": (kit) => change(kit, "watch", () => () => undefined),
  "reports-without-monitor": (kit) =>
    change(kit, "isOn", (isOn) => (service) => {
      return isOn(service) || (service === "monitor" && kit.config?.reportUncaughtErrors === true);
    }),
  "reports-twice": (kit) =>
    change(kit, "reportUncaught", (report) => (error) => {
      report(error);
      report(error);
    }),
  "reports-no-stack": (kit) => change(kit, "stackOf", () => () => ""),
  "reports-every-error": (kit) => change(kit, "uncaughtPerSecondMax", () => 1_000),
  "forgets-the-others": (kit) => change(kit, "unreportedLine", () => () => ""),
  "reports-own-failures": (kit) => change(kit, "onFailure", () => (error) => kit.reportUncaught(error)),
} satisfies Faults;
