import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { exportEvents, listingEvents } from "./log.contract.ts";
import { channelAt, useChannelWords } from "./words.panel.tsx";

const ROOMS = "/configuration/ApartmentManage";

/** Every word exchanged with channels, newest first. */
export function Events() {
  const channels = useChannelWords();
  return (
    <ListPage
      call={listingEvents}
      unit="条"
      sort={{ sort: "at", order: "desc" }}
      filters={[{ key: "channelId", words: channels }, "result", "act", "keyword", "villageIds", "from"]}
      columns={[
        "at",
        { key: "channelName", to: (e) => channelAt(e.channelId) },
        {
          key: "roomName",
          width: 200,
          to: (e) =>
            e.roomId && reach(ROOMS) !== undefined
              ? pathTo(ROOMS, { view: "room", id: e.roomId })
              : undefined,
        },
        "act",
        "result",
        "millis",
        { key: "answer", width: 320 },
      ]}
      card={{
        title: "channelName",
        right: "result",
        lines: [
          ["roomName", "act"],
          ["answer", "at"],
        ],
      }}
      exportCall={exportEvents}
      emptyText="还没有同步过；启用渠道后，每次发布、更新、下架都记在这里"
    />
  );
}
