// Support: connects the OBS backend to a fake OBS, with short intervals.
import type { TestContext } from "vitest";
import { pathOf } from "../../../tools/engines/locate.ts";
import { createObsBackend, type ObsBackend, type ObsBackendDeps } from "../../src/recording/capture/obs/obs-backend.ts";
import { until } from "../support/until.ts";
import { type FakeObs, type FakeObsBehaviour, openFakeObs } from "./fake-obs.ts";

/** The time limits stay as they are, because a busy machine exceeds shorter ones. */
export const times = {
  searchIntervalMs: 100,
  firstRetryMs: 20,
  pollMs: 100,
  pollStatusMs: 100,
  saveIntervalMs: 0,
} satisfies ObsBackendDeps["times"];

type Rig = { readonly backend: ObsBackend; readonly availability: boolean[] };

export function rig(t: TestContext, url: string, needs: Partial<ObsBackendDeps> = {}): Rig {
  const availability: boolean[] = [];
  const backend = createObsBackend({
    url: () => url,
    password: async () => "secret",
    ffmpeg: async () => ({ path: pathOf("ffmpeg") }),
    onChanged: () => undefined,
    onAvailable: (available) => availability.push(available),
    times,
    ...needs,
  });
  t.onTestFinished(() => backend.disconnect());
  return { backend, availability };
}

export async function fake(t: TestContext, behaviour: Partial<FakeObsBehaviour> = {}, port = 0): Promise<FakeObs> {
  const obs = await openFakeObs(behaviour, port);
  t.onTestFinished(() => obs.close());
  return obs;
}

/** A backend that records from that OBS. */
export async function recording(t: TestContext, obs: FakeObs): Promise<ObsBackend> {
  const { backend } = rig(t, obs.url);
  backend.connect();
  await until("available", backend.isAvailable);
  await backend.start();
  await until("recording", () => backend.state().state === "recording");
  return backend;
}
