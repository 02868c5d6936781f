// Sees whether a request went out whole.
import type { Dispatcher } from "undici";

/** As much of a dispatcher as fetch asks for. `onWhole`: the system took all of the request. */
export function watched(dispatcher: Dispatcher, onWhole: () => void): Pick<Dispatcher, "dispatch"> {
  return {
    dispatch(options, handler) {
      const watching: Dispatcher.DispatchHandler = Object.assign(Object.create(handler), {
        onRequestSent() {
          onWhole();
          handler.onRequestSent?.();
        },
      });
      return dispatcher.dispatch(options, watching);
    },
  };
}
