// How the tests run. A test file's name says when: `x.test.ts` in `npm test`; `x.engine.test.ts`, `x.slow.test.ts` and
// `x.alone.test.ts` in `npm run test:nightly`, the last ones one at a time, because they measure time.
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Only a test that hangs reaches it, so no test needs a limit of its own. */
const timeLimitMs = 600_000;
const nightly = ["**/*.{engine,slow,alone}.test.ts"];
const ignored = ["**/node_modules/**", "**/dist/**"];

const shared = {
  extends: true,
  test: { testTimeout: timeLimitMs, hookTimeout: timeLimitMs, teardownTimeout: timeLimitMs },
} as const;

export default defineConfig({
  test: {
    experimental: {
      // Node loads the modules, as it does for users, and the launcher's threads load the same ones.
      viteModuleRunner: false,
    },
    pool: "forks",
    execArgv: ["--disable-warning=ExperimentalWarning"],
    setupFiles: ["tools/run-tests/setup.ts"],
    restoreMocks: true,
    maxConcurrency: 4,
    slowTestThreshold: 5_000,
    reporters: ["default"],
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: "gate",
          include: ["**/*.test.ts"],
          exclude: [...ignored, ...nightly],
          // Files share the processes, because importing the launcher takes longer than many files do.
          // At least five on any computer, because many files mostly wait.
          isolate: false,
          maxWorkers: Math.max(5, availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...shared.test,
          name: "components",
          include: ["dashboard/**/*.test.tsx"],
          exclude: ignored,
          environment: "happy-dom",
          experimental: { viteModuleRunner: true },
          maxWorkers: Math.max(5, availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...shared,
        test: {
          ...shared.test,
          name: "nightly",
          include: ["**/*.{engine,slow}.test.ts"],
          exclude: ignored,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...shared,
        test: {
          ...shared.test,
          name: "alone",
          include: ["**/*.alone.test.ts"],
          exclude: ignored,
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
