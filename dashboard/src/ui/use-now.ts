// The time that passes: the current time, updated regularly so that relative times stay correct, and a countdown.
import { useEffect, useState } from "react";

const nowTickMs = 20_000;

export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), nowTickMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

const countdownTickMs = 250;
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
    }, countdownTickMs);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}
