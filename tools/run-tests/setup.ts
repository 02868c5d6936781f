// What Vitest does after every test, so that tests that share a process leave nothing to the next one.
import { afterEach, vi } from "vitest";

afterEach(() => void vi.useRealTimers());
