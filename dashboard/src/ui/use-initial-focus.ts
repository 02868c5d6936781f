// Moves the keyboard focus to an element, such as the heading of a page, when the element is first drawn.
import { type RefObject, useEffect, useRef } from "react";

export function useInitialFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => element.current?.focus({ preventScroll: true }), []);
  return element;
}
