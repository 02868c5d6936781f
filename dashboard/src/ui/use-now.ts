// The current time, which is updated regularly so that relative times stay correct.
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
