import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { channelOptions } from "./channel.contract.ts";
import { enquiries } from "./log.contract.ts";

/** Channels to filter by. */
export function useChannelWords(): Record<string, readonly [string, "grey"]> {
  const { data = [] } = useQuery(ask(channelOptions));
  return Object.fromEntries(data.map((c) => [String(c.id), [c.name, "grey"] as const]));
}

/** The address of a channel, for who may open it. */
export const channelAt = (id: number): string | undefined =>
  may(["67.get", "67.edit"]) ? pathTo("/configuration/ApartmentSync", { tab: "channels", id }) : undefined;

const ROOMS = "/configuration/ApartmentManage";
const LEADS = "/configuration/BookingManagement";

/** Who asked through a channel, and which lead it became. */
export function Enquiries() {
  const channels = useChannelWords();
  return (
    <ListPage
      call={enquiries}
      unit="条"
      sort={{ sort: "at", order: "desc" }}
      filters={["villageIds", { key: "channelId", words: channels }, "keyword"]}
      columns={[
        "at",
        { key: "channelName", to: (q) => channelAt(q.channelId) },
        {
          key: "roomName",
          width: 200,
          to: (q) => (reach(ROOMS) === undefined ? undefined : pathTo(ROOMS, { view: "room", id: q.roomId })),
        },
        "name",
        "phone",
        { key: "message", width: 260 },
        {
          key: "leadNumber",
          to: (q) => (q.leadId === null ? undefined : reach(LEADS, { tab: "pool", id: q.leadId })),
        },
        "ownerName",
      ]}
      card={{
        title: "name",
        right: "channelName",
        lines: [
          ["roomName", "at"],
          ["message", "leadNumber"],
        ],
      }}
      emptyText="渠道送来的咨询会自动成为客源，并列在这里"
    />
  );
}
