// Loaded before Spotlight: makes it listen on loopback instead of all addresses, and removes the module with which it traces
// each of its own requests, because without it Spotlight is faster.
import { registerHooks } from "node:module";
import { Server } from "node:net";

const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(port, ...rest) {
  return typeof port === "number" ? listen.call(this, port, "127.0.0.1", ...rest) : listen.call(this, port, ...rest);
};

registerHooks({
  resolve(specifier, context, next) {
    const isTelemetry = specifier === "./instrument.js" && context.parentURL?.endsWith("/spotlight/dist/run.js");
    return isTelemetry ? { url: "data:text/javascript,", shortCircuit: true } : next(specifier, context);
  },
});
