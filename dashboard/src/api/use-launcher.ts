// What the launcher says of itself: its health, and how a person starts this Kit in a terminal, with the options that reach this
// launcher, for the commands that pages show. And a mutation that changes its settings.

import { type Client, type CommandOptions, defaultPort, getCommandOptions, getHealth } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { writeCommandsWith } from "../language/language.ts";
import { useClient } from "./session.ts";

const refetchMs = 30_000;
/** Short, because a person who has just freed disk space waits for the result. */
const whileFailingMs = 2_000;

/** Asks every 30 s, or more often while something fails. */
export function useHealth() {
  const client = useClient();
  return useQuery({
    queryKey: ["health"],
    queryFn: () => client.call(getHealth, { query: {} }),
    refetchInterval: ({ state }) => (state.data?.storage.state === "failing" ? whileFailingMs : refetchMs),
    retry: false,
  });
}

/**
 * Returns a mutation. The launcher's reply becomes the data of the query with this key; after a failure, that query is
 * fetched again.
 */
export function useSettingsChange<Change, Reply>(
  key: readonly string[],
  send: (client: Client, change: Change) => Promise<Reply>,
) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => send(client, change),
    onSuccess: (reply) => queryClient.setQueryData(key, reply),
    onError: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}

/** How pages write commands. The launcher says how its user types them. */
const asWritten = "kit";
const storageKey = "kit-command";

/** What this launcher said last, for a page that finds it stopped. */
const readKept = (): CommandOptions | undefined => JSON.parse(localStorage.getItem(storageKey) ?? "null") ?? undefined;

/** Returns undefined until they are known. */
export function useCommandOptions(): CommandOptions | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ["command options"],
    queryFn: async () => {
      const found = await client.call(getCommandOptions);
      localStorage.setItem(storageKey, JSON.stringify(found));
      return found;
    },
    placeholderData: readKept,
    staleTime: "static",
  });
  return data;
}

/** Returns the command as a person types it for this launcher. */
export const useKitCommand = (command: string): string => withCommandOptions(command, useCommandOptions());

/** The command that starts the launcher at the address of this page. */
export const startCommand = (): string =>
  location.port === String(defaultPort) ? `${asWritten} start` : `${asWritten} start --port ${location.port}`;

/**
 * Names the program of this Kit in a `kit` command, and adds the options, before the `--` that begins a game's command. Leaves
 * other commands as they are.
 */
export function withCommandOptions(
  command: string,
  { program, options }: CommandOptions = { program: asWritten, options: "" },
): string {
  if (!command.startsWith(`${asWritten} `)) return command;
  const [kit = "", ...game] = command.split(" -- ");
  return [`${program}${kit.slice(asWritten.length)} ${options}`.trimEnd(), ...game].join(" -- ");
}

writeCommandsWith((words) => withCommandOptions(`${asWritten} ${words}`, readKept()));
