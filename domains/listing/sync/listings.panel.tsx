import { ListPage } from "../../../platform/console/list/list.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { useListingActs } from "./acts.panel.tsx";
import { countListings, exportListings, listings } from "./listing.contract.ts";
import { ListingDrawer, Outside } from "./listing.panel.tsx";
import { LISTING_STATES } from "./words.rules.ts";
import { channelAt, useChannelWords } from "./enquiries.panel.tsx";

const ROOMS = "/configuration/ApartmentManage";

/** Every room on every channel, what has failed first. */
export function Listings() {
  const channels = useChannelWords();
  const { actsOf, batch, layer } = useListingActs();
  return (
    <>
      <ListPage
        call={listings}
        unit="条"
        sort={{ sort: "state", order: "asc" }}
        tabs={{
          key: "state",
          counts: countListings,
          items: [
            { key: "", title: "全部" },
            ...Object.entries(LISTING_STATES).map(([key, [title]]) => ({ key, title })),
          ],
        }}
        filters={[{ key: "channelId", words: channels }, "villageIds", "occupancy", "keyword", "hold"]}
        columns={[
          {
            key: "roomName",
            width: 200,
            to: (l) =>
              reach(ROOMS) === undefined ? undefined : pathTo(ROOMS, { view: "room", id: l.roomId }),
          },
          { key: "channelName", to: (l) => channelAt(l.channelId) },
          { key: "title", width: 220 },
          "price",
          "pictures",
          "occupancy",
          "state",
          {
            key: "reason",
            width: 200,
            show: (l) =>
              l.reason ? <span className={l.state === "failed" ? "neg" : ""}>{l.reason}</span> : NONE,
          },
          { key: "outsideUrl", show: (l) => (l.outsideUrl ? <Outside url={l.outsideUrl} /> : NONE) },
          "syncedAt",
          {
            own: "asked",
            title: "浏览/咨询",
            right: true,
            show: (l) => `${l.views ?? "—"} / ${l.enquiries}`,
          },
        ]}
        card={{
          title: "roomName",
          right: "state",
          lines: [
            ["channelName", "price"],
            ["reason", "syncedAt"],
          ],
        }}
        rowActions={actsOf}
        batch={batch}
        drawer={(id) => <ListingDrawer id={id} />}
        exportCall={exportListings}
        emptyText="在“渠道”中新增渠道后，符合条件的空置房间会自动出现在这里"
      />
      {layer}
    </>
  );
}
