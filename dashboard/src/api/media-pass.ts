// URLs of images, videos and downloads. The browser cannot send the session's token when it loads them, so their URLs
// contain the session's pass or a single-use link. Both are valid only together with the session cookie.
import { callAddress, createDownloadLink, type Operation, passParameter } from "@kit/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useClient, useSessionState, useSignInSession } from "./session.ts";

/** A file that the launcher serves. */
export type LauncherFile = {
  readonly operation: Operation & { readonly file: string };
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | boolean | undefined>>;
};

/** `addressFor` returns undefined if the session is not open. */
export function useMedia(): { addressFor(file: LauncherFile): string | undefined } {
  const session = useSessionState(useSignInSession());
  return {
    addressFor: ({ operation, params, query }) =>
      session.state === "open"
        ? callAddress(operation, { params: { ...params }, query: { ...query, [passParameter]: session.pass } })
        : undefined,
  };
}

/** Returns the props of an `<img>` or `<video>` that shows a file, and whether loading failed. */
export function useMediaFile(file: LauncherFile) {
  const src = useMedia().addressFor(file);
  const [brokenAt, setBrokenAt] = useState<string>();
  return { src, onError: () => setBrokenAt(src), broken: src !== undefined && src === brokenAt };
}

/**
 * Returns a function that downloads a file through a single-use link, so that nobody can reuse the address in the
 * browser's history.
 */
export function useDownload() {
  const client = useClient();
  return useMutation({
    mutationFn: async ({ operation, params, query }: LauncherFile) => {
      const asked = callAddress(operation, { params: { ...params }, query: { ...query } });
      const { address } = await client.call(createDownloadLink, { body: { address: asked } });
      const link = document.createElement("a");
      link.href = address;
      link.download = "";
      link.click();
    },
  });
}
