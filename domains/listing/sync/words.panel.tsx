import { useQuery } from "@tanstack/react-query";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { channelOptions } from "./channel.contract.ts";

/** Channels to filter by. */
export function useChannelWords(): Record<string, readonly [string, "grey"]> {
  const { data = [] } = useQuery(ask(channelOptions));
  return Object.fromEntries(data.map((c) => [String(c.id), [c.name, "grey"] as const]));
}

/** The address of a channel, for who may open it. */
export const channelAt = (id: number): string | undefined =>
  may(["67.get", "67.edit"]) ? pathTo("/configuration/ApartmentSync", { tab: "channels", id }) : undefined;
