import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { exportEvents, listingEvents } from "./log.contract.ts";
import { ACTS, RESULTS } from "./words.rules.ts";
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
      filters={[
        { kind: "choice", key: "channelId", title: "渠道", words: channels },
        { kind: "choice", key: "result", title: "结果", words: RESULTS },
        { kind: "choice", key: "act", title: "动作", words: ACTS, many: true },
        { kind: "keyword", key: "keyword", title: "房间、答复" },
        { kind: "village", key: "villageIds" },
        { kind: "days", from: "from", to: "to", title: "时间" },
      ]}
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
