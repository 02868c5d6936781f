// The time, now and then: how long ago a thing is said to be must not stand still.
import { useEffect, useState } from "react";

const tickMs = 20_000;

export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
