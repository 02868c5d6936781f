// Loaded before Spotlight: makes it listen on loopback instead of all addresses.
import { Server } from "node:net";

const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(port, ...rest) {
  return typeof port === "number" ? listen.call(this, port, "127.0.0.1", ...rest) : listen.call(this, port, ...rest);
};
