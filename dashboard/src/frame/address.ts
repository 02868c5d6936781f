// Where the page is, as its address's fragment says: #/live, #/connect or #/connect/godot.
import { type Binding, bindings } from "@kit/contract";
import { useSyncExternalStore } from "react";

export type Place =
  | { readonly page: "live" }
  /** `binding` is the engine a person chose; none yet when left out. */
  | { readonly page: "connect"; readonly binding?: Binding };

/** Reads a fragment. What it does not know is the Live page. */
export function placeIn(fragment: string): Place {
  const [page, chosen] = fragment.replace(/^#\//u, "").split("?", 1)[0]?.split("/") ?? [];
  if (page !== "connect") return { page: "live" };
  const binding = bindings.find((known) => known === chosen);
  return binding === undefined ? { page } : { page, binding };
}

export const connectAddress = (binding?: Binding): string =>
  binding === undefined ? "#/connect" : `#/connect/${binding}`;

/** The Live page with one row's details open. */
export const rowAddress = (key: string): string => `#/live?${new URLSearchParams({ show: key })}`;

/** The row an address asks to be shown. */
export const rowIn = (fragment: string): string | undefined =>
  new URLSearchParams(fragment.split("?", 2)[1] ?? "").get("show") ?? undefined;

function onAddressChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export const useFragment = (): string => useSyncExternalStore(onAddressChange, () => location.hash);
