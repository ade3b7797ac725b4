import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/request.ts";
import { channelOptions } from "./channel.contract.ts";

/** Channels to filter by. */
export function useChannelWords(): Record<string, readonly [string, "grey"]> {
  const { data = [] } = useQuery(ask(channelOptions));
  return Object.fromEntries(data.map((c) => [String(c.id), [c.name, "grey"] as const]));
}
