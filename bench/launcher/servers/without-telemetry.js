// Loaded before Spotlight: removes its telemetry module.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const isTelemetry = specifier === "./instrument.js" && context.parentURL?.endsWith("/spotlight/dist/run.js");
    return isTelemetry ? { url: "data:text/javascript,", shortCircuit: true } : next(specifier, context);
  },
});
