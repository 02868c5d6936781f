// The page's head: is it live, pause, help.
import { Button, IconButton } from "@radix-ui/themes";
import { Icon } from "../frame/icon.tsx";
import type { Feed } from "./feed.ts";
import type { Connection } from "./follow-feed.ts";

/** After this many tries the launcher is probably not running. */
const attemptsPatient = 3;

type Shown = { state: "live" | "paused" | "waiting" | "off"; says: string };

function shownOf(connection: Connection, paused: boolean): Shown {
  if (connection.state === "reconnecting") {
    const says = connection.attempt > attemptsPatient ? "Kit does not answer. Is it running?" : "Reconnecting";
    return { state: "off", says };
  }
  if (connection.state === "ended") return { state: "off", says: "Signed out" };
  if (connection.state === "connecting") return { state: "waiting", says: "Connecting" };
  return paused ? { state: "paused", says: "Paused" } : { state: "live", says: "Listening" };
}

type Props = {
  connection: Connection;
  feed: Feed;
  onPause: (paused: boolean) => void;
  onHelp: () => void;
};

export function LiveHead({ connection, feed, onPause, onHelp }: Props) {
  const { state, says } = shownOf(connection, feed.paused);
  return (
    <div className="live-head">
      <h1>Live</h1>
      <p className="connection" data-state={state} role="status">
        <span className="connection-dot" aria-hidden="true" />
        {says}
        {state === "live" && <span className="connection-host">on {location.host}</span>}
      </p>
      <div className="live-head-end">
        {feed.paused ? (
          <Button variant="solid" onClick={() => onPause(false)}>
            <Icon name="play" size={14} />
            {feed.heldCount > 0 ? `Show ${feed.heldCount} new` : "Resume"}
          </Button>
        ) : (
          <Button variant="soft" color="gray" onClick={() => onPause(true)}>
            <Icon name="pause" size={14} />
            Pause
          </Button>
        )}
        <IconButton variant="soft" color="gray" aria-label="Keys and help" title="Keys and help" onClick={onHelp}>
          <Icon name="help" />
        </IconButton>
      </div>
    </div>
  );
}
