// A flight of the demo: prepares the launcher, waits for its recorder, and calls Kit for what happens in the game.
import { changeTopics, demoGame } from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { unfilteredEvents } from "../../api/address-filters.ts";
import { createChangeNotifier, refetchTopic } from "../../api/changes.ts";
import { emptyFeed, feedReducer } from "../../api/feed.ts";
import { readFeed } from "../../api/follow-feed.ts";
import { useSignInSession } from "../../api/session.ts";
import { createWorld, flightSeconds, type Happening, type World } from "./flight.ts";
import {
  type Call,
  errorCall,
  eventsOfCalls,
  jewelCall,
  loadKitSDK,
  makeCall,
  scoreCall,
  startCall,
  stormCall,
  streakCall,
} from "./kit-calls.ts";
import { prepareDemo, untilRecording } from "./prepare.ts";

/** `waiting`: for the launcher and its recorder. */
type Phase = "ready" | "waiting" | "flying" | "over";

/** Follows the events of the demo, and passes on what else changed. */
function useDemoEvents() {
  const { client } = useSignInSession();
  const queryClient = useQueryClient();
  const [feed, dispatch] = useReducer(feedReducer, emptyFeed);
  useEffect(() => {
    const stop = new AbortController();
    const changes = createChangeNotifier((what) => refetchTopic(queryClient, what));
    void readFeed({
      client,
      filter: { ...unfilteredEvents, game: demoGame },
      signal: stop.signal,
      onList: (events, more) => dispatch({ type: "loaded", events, more }),
      onItems: (items) => {
        dispatch({ type: "received", items });
        changes.handleItems(items);
      },
      onConnection: ({ state }) => {
        if (state === "live") changes.notify(changeTopics);
      },
    });
    return () => {
      changes.stop();
      stop.abort();
    };
  }, [client, queryClient]);
  return feed.rows;
}

export function useFlight() {
  const { client } = useSignInSession();
  const rows = useDemoEvents();
  const [phase, setPhase] = useState<Phase>("ready");
  const [calls, setCalls] = useState<readonly Call[]>([]);
  const [error, setError] = useState<Error>();
  const [world, setWorld] = useState<World>(createWorld);
  const best = useRef(0);
  const running = useRef(new AbortController());
  const call = useCallback((...made: Parameters<typeof makeCall>) => {
    const done = makeCall(...made);
    setCalls((before) => [...before, done]);
  }, []);
  const start = useCallback(async () => {
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    setCalls([]);
    setError(undefined);
    setWorld(createWorld());
    setPhase("waiting");
    try {
      const [sdk] = await Promise.all([loadKitSDK(), prepareDemo(client)]);
      if (signal.aborted) return;
      call(sdk, startCall());
      await untilRecording(client, signal);
      if (!signal.aborted) setPhase("flying");
    } catch (failure) {
      if (signal.aborted) return;
      setError(failure as Error);
      setPhase("ready");
    }
  }, [client, call]);
  const end = useCallback(() => {
    running.current.abort();
    best.current = 0;
    setCalls([]);
    setPhase("ready");
  }, []);
  useEffect(() => () => running.current.abort(), []);
  const handle = async (happening: Happening) => {
    const sdk = await loadKitSDK();
    if (happening.kind === "streak") call(sdk, streakCall());
    if (happening.kind === "jewel") call(sdk, jewelCall());
    if (happening.kind === "storm") call(sdk, stormCall());
    if (happening.kind === "error")
      call(
        sdk,
        errorCall(
          happening.error,
          calls.every(({ key }) => key !== happening.error.message),
        ),
      );
    if (happening.kind === "gate" && world.score > best.current) {
      best.current = world.score;
      call(sdk, scoreCall());
    }
  };
  const land = () => {
    if (world.seconds >= flightSeconds) setPhase("over");
  };
  const events = eventsOfCalls(calls, rows);
  return {
    phase,
    world,
    error,
    start,
    end,
    handle,
    land,
    made: calls.map((one, index) => ({ call: one, row: events[index] })),
  };
}
