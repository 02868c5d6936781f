// The options that `kit` commands need to reach this launcher, for the commands that pages show.
import { getCommandOptions } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session.ts";

/** Returns an empty text until the options are known. */
export function useCommandOptions(): string {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ["command options"],
    queryFn: () => client.call(getCommandOptions),
    staleTime: "static",
  });
  return data?.options ?? "";
}

/** Adds the options to a `kit` command, before the `--` that begins a game's command. Leaves other commands as they are. */
export function withCommandOptions(command: string, options: string): string {
  if (options === "" || !command.startsWith("npx kit ")) return command;
  const [kit = "", ...game] = command.split(" -- ");
  return [`${kit} ${options}`, ...game].join(" -- ");
}
