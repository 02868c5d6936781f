// The page's view as the address holds it: changing one changes the other.
import { useCallback, useMemo } from "react";
import { replaceAddress, useFragment } from "../frame/address.ts";
import { fragmentOf, type RulesView, rulesViewIn } from "./rules-view.ts";

export function useRulesView(): [RulesView, (change: RulesView) => void] {
  const fragment = useFragment();
  const view = useMemo(() => rulesViewIn(fragment), [fragment]);
  const change = useCallback((members: RulesView) => {
    replaceAddress(fragmentOf({ ...rulesViewIn(location.hash), ...members }));
  }, []);
  return [view, change];
}
