// Compares the received requests and the driver's report with the expectations of a case. Pure; returns faults as sentences.
import { isDeepStrictEqual } from "node:util";
import type { Binding, Driver } from "./binding.ts";
import type { Case, LauncherState, Settings } from "./case.ts";
import { addressed } from "./plan.ts";
import type { DriverReport } from "./play.ts";
import { faultsOfRequest, messageOf, sameMessage, wantedMessages } from "./request.ts";
import type { Arrival } from "./stand-in.ts";
import { faultsOfUncaught, isCaused, isExpectedReport } from "./uncaught.ts";

export type Evidence = {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  readonly followed: readonly Arrival[];
  readonly told: DriverReport | undefined;
};

// Distinguishes a call that waits for the network from a call on a busy computer.
const callMsMax = 1_000;

const breakingStates: readonly LauncherState[] = ["drops", "babbles"];
const redirectingStates: readonly LauncherState[] = ["redirects", "redirects-to-itself"];

/** Traits of an engine from the descriptions of binding and driver. */
type Traits = Binding & Driver;

export function judge(one: Case, evidence: Evidence, binding: Traits): string[] {
  const { told } = evidence;
  if (told === undefined) return ["the driver reported nothing"];
  const state = one.launcher ?? "answers";
  const follows = redirectingStates.includes(state) ? binding.followsRedirects : undefined;
  const mayRepeat = follows !== undefined || (binding.resends === true && breakingStates.includes(state));
  const arrivals = mayRepeat ? withoutRepeats(evidence.arrivals) : evidence.arrivals;
  const build = one.expect.build ?? binding.build ?? "";
  const { burst, uncaught } = one.expect;
  const [reports = [], others = arrivals] = uncaught ? divided(arrivals, uncaught) : [];
  return [
    ...told.threw.map((what) => `a call threw: ${what}`),
    ...told.errors.filter((what) => !isCaused(one, what)).map((what) => `the game showed an error: ${what}`),
    ...faultsOfCalls(told),
    ...arrivals.flatMap((arrival) => faultsOfRequest(arrival, one, evidence.url, build)),
    ...faultsOfTime(arrivals, told, binding),
    ...(burst ? faultsOfBurst(burst, arrivals) : faultsOfMessages(one, others)),
    ...(uncaught ? faultsOfUncaught(one, uncaught, reports, binding) : []),
    ...faultsOfReads(one, evidence.url, told, binding),
    ...faultsOfHaste(one, arrivals, told),
    ...faultsOfPatience(one, arrivals, binding),
    ...faultsOfReading(one, arrivals),
    ...faultsOfProgress(one, told),
    ...(follows ? faultsOfFollowing(evidence, follows) : evidence.followed.map(() => "a redirect was followed")),
  ];
}

function divided(arrivals: readonly Arrival[], uncaught: NonNullable<Case["expect"]["uncaught"]>): Arrival[][] {
  const { true: reports = [], false: others = [] } = Object.groupBy(arrivals, (arrival) =>
    String(isExpectedReport(uncaught, arrival)),
  );
  return [reports, others];
}

const bytesOf = ({ target, body }: Arrival) => `${target} ${body.toString("latin1")}`;

/** Removes retransmissions that an engine makes by itself. */
function withoutRepeats(arrivals: readonly Arrival[]): Arrival[] {
  return [...new Map(arrivals.toReversed().map((arrival) => [bytesOf(arrival), arrival])).values()].reverse();
}

type Following = NonNullable<Driver["followsRedirects"]>;

/** Checks engines that follow redirects: their number is limited, and the permission must be needed. */
function faultsOfFollowing({ arrivals, followed }: Evidence, { postsPerCallMax }: Following): string[] {
  const posts = [...arrivals, ...followed];
  const most = Math.max(0, ...[...Map.groupBy(posts, bytesOf).values()].map(({ length }) => length));
  if (most > postsPerCallMax) return [`one call led to ${most} POSTs; at most ${postsPerCallMax} may`];
  return most > 1 ? [] : ["no redirect was followed; followsRedirects has to go from conformance.json"];
}

function faultsOfCalls({ calls }: DriverReport): string[] {
  const slow = calls.filter(([before, after]) => after - before > callMsMax);
  return slow.map(([before, after]) => `a call held the game for ${Math.round(after - before)} ms`);
}

/** Checks that each timestamp is the time of the call, not of the request. */
function faultsOfTime(arrivals: readonly Arrival[], told: DriverReport, { clockToleranceMs }: Binding): string[] {
  if (arrivals.length === 0) return [];
  const calls = [...told.calls, ...told.failures];
  const first = Math.min(...calls.map(([before]) => before));
  const last = Math.max(...calls.map(([, after]) => after));
  if (calls.length === 0) return ["the driver told no time of a call"];
  return arrivals.flatMap((arrival) => {
    const atMs = Date.parse(messageOf(arrival)?.timestamp ?? "");
    // Truncated milliseconds can place the timestamp one millisecond before the call.
    if (atMs >= Math.floor(first) - 1 - clockToleranceMs && atMs <= last + clockToleranceMs) return [];
    return [`the timestamp lies ${atMs < first ? Math.round(first - atMs) : Math.round(atMs - last)} ms from the call`];
  });
}

function faultsOfMessages(one: Case, arrivals: readonly Arrival[]): string[] {
  const missing = wantedMessages(one.expect.requests ?? []);
  const unexpected: Arrival[] = [];
  for (const arrival of arrivals) {
    const at = missing.findIndex((wanted) => sameMessage(arrival, wanted));
    if (at >= 0) missing.splice(at, 1);
    else unexpected.push(arrival);
  }
  return [
    ...missing.map((wanted) => `did not arrive: ${short(JSON.stringify(wanted))}`),
    ...unexpected.map(({ target, body }) => `was not expected: ${target} ${short(body.toString("utf8"))}`),
  ];
}

type Burst = NonNullable<Case["expect"]["burst"]>;

function faultsOfBurst({ to, eventId, first, atMost, also = [] }: Burst, arrivals: readonly Arrival[]): string[] {
  const ids = arrivals.map((arrival) => messageOf(arrival)?.eventId ?? "");
  const wanted = Array.from({ length: first }, (_, at) => eventId.replaceAll("{n}", String(at + 1)));
  const missing = [...wanted, ...also].filter((id) => !ids.includes(id));
  const ofBurst = ids.filter((id) => !also.includes(id)).length;
  const most = Math.max(0, ...[...Map.groupBy(ids, (id) => id).values()].map(({ length }) => length));
  return [
    ...(missing.length > 0 ? [`${missing.length} of the first ${first} did not arrive, ${missing[0]} for one`] : []),
    ...(ofBurst > atMost ? [`${ofBurst} arrived; at most ${atMost} may`] : []),
    ...(most > 1 ? [`one call arrived ${most} times`] : []),
    ...arrivals.filter(({ target }) => !target.includes(`/${to}/`)).map(({ target }) => `was not expected: ${target}`),
  ];
}

const withAddress = (config: Settings | undefined, url: string) =>
  config?.launcherUrl === undefined ? config : { ...config, launcherUrl: addressed(config.launcherUrl, url) };

function faultsOfReads({ expect }: Case, url: string, told: DriverReport, binding: Binding): string[] {
  const wanted = expect.reads ?? [];
  if (told.reads.length !== wanted.length) return [`${told.reads.length} reads were told, ${wanted.length} expected`];
  return wanted.flatMap((read, at) => {
    const found = told.reads[at];
    const initialized = read.initialized === "if-by-itself" ? binding.startsByItself === true : read.initialized;
    const config = withAddress(read.config, url) ?? {};
    const seen = Object.fromEntries(Object.entries(found?.config ?? {}).filter(([name]) => name in config));
    if (found?.initialized === initialized && isDeepStrictEqual(seen, { ...config })) return [];
    return [`read ${at + 1} was ${JSON.stringify(found)}, not ${JSON.stringify({ initialized, config })}`];
  });
}

/** Checks that requests are not delayed, e.g. by a dialog or an unreleased connection. */
function faultsOfHaste({ expect }: Case, arrivals: readonly Arrival[], { calls }: DriverReport): string[] {
  const { arriveWithinMs = Number.POSITIVE_INFINITY } = expect;
  const lastCallMs = Math.max(...calls.map(([, after]) => after));
  const late = arrivals.filter(({ atMs }) => atMs - lastCallMs > arriveWithinMs);
  const last = late.at(-1);
  if (last === undefined) return [];
  const afterMs = Math.round(last.atMs - lastCallMs);
  return [`${late.length} arrived up to ${afterMs} ms after the last call, at most ${arriveWithinMs} are allowed`];
}

/** Checks that a hanging request is aborted, unless the engine has no timeouts. */
function faultsOfPatience({ expect }: Case, arrivals: readonly Arrival[], binding: Binding): string[] {
  const { givenUpMs } = expect;
  if (givenUpMs === undefined || binding.noTimeout) return [];
  return arrivals.flatMap(({ atMs, closedAtMs }) => {
    const tookMs = (closedAtMs ?? Number.POSITIVE_INFINITY) - atMs;
    if (tookMs >= givenUpMs[0] && tookMs <= givenUpMs[1]) return [];
    return [`a hanging request was given up after ${tookMs} ms, not ${givenUpMs[0]} to ${givenUpMs[1]}`];
  });
}

/** Checks that an endless response is not read forever, which would fill the game's memory. */
function faultsOfReading({ expect }: Case, arrivals: readonly Arrival[]): string[] {
  const { answerBytesMax = Number.POSITIVE_INFINITY } = expect;
  const read = arrivals.filter(({ answeredBytes }) => answeredBytes > answerBytesMax);
  return read.map(
    ({ answeredBytes }) => `${answeredBytes} bytes of an answer were read, at most ${answerBytesMax} may`,
  );
}

function faultsOfProgress({ expect }: Case, told: DriverReport): string[] {
  const { framesMin = 0, quitMsMax } = expect;
  const { quitMs = Number.POSITIVE_INFINITY } = told;
  const slow = quitMsMax !== undefined && quitMs > quitMsMax;
  const when = Number.isFinite(quitMs) ? `${Math.round(quitMs)} ms after its quit` : "at a time nobody told";
  return [
    ...(told.frames < framesMin ? [`${told.frames} frames passed, at least ${framesMin} should`] : []),
    ...(slow ? [`the game was gone ${when}, at most ${quitMsMax} ms after its quit are allowed`] : []),
  ];
}

function short(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}… (${text.length} characters)` : text;
}
