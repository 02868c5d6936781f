// Counts down the seconds until a time.
import { useEffect, useState } from "react";

const tickMs = 250;
const secondsTo = (at: string | null) =>
  at === null ? 0 : Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 1_000));

/** Returns the seconds left; 0 if the time is over, or null. */
export function useCountdown(at: string | null): number {
  const [seconds, setSeconds] = useState(() => secondsTo(at));
  useEffect(() => {
    setSeconds(secondsTo(at));
    if (secondsTo(at) === 0) return;
    const timer = setInterval(() => {
      setSeconds(secondsTo(at));
      if (secondsTo(at) === 0) clearInterval(timer);
    }, tickMs);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}
