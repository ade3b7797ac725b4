import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Picture } from "../room/pictures.panel.tsx";
import { channelAt, useChannelWords } from "../channel/channels.panel.tsx";
import { CopyForm, HoldForm } from "./hold.form.tsx";
import {
  type ListingRow,
  countListings,
  exportListings,
  holdListings,
  listing,
  listings,
  syncListings,
} from "./listing.contract.ts";
import { LISTING_STATES } from "../channel/adapter.rules.ts";
import "../channel/channel.css";

type Listing = Pick<ListingRow, "id" | "roomId" | "roomName" | "state" | "held">;
type Open = { what: "copy"; listing: Listing } | { what: "hold" | "down"; rows: readonly Listing[] };

const need = "67.edit" as const;
const MOST = 500;

/** What can be done with listings, the same in a row, over many and on one of its own; and the form that is open. */
export function useListingActs(): {
  actsOf: (listing: Listing) => Actions;
  batch: Batch<ListingRow>[];
  layer: ReactNode;
} {
  const act = useAct();
  const [address, set] = useAddress();
  const [open, setOpen] = useState<Open>();
  const sync = (rows: readonly Listing[]) =>
    act(syncListings, { body: { ids: rows.map((l) => l.id) } }, { done: "已开始同步" });
  const free = (rows: readonly Listing[]) =>
    act(holdListings, { body: { ids: rows.map((l) => l.id), hold: false } }, { done: "已恢复发布" });
  const actsOf = (l: Listing): Actions => [
    { label: l.state === "failed" ? "重试" : "立即同步", need, run: () => sync([l]) },
    l.held
      ? { label: "恢复", need, run: () => free([l]) }
      : { label: "暂不发布", need, run: () => setOpen({ what: "hold", rows: [l] }) },
    !l.held && {
      label: "下架",
      need,
      why: l.state === "online" || l.state === "queued" || l.state === "failed" ? undefined : "未上架",
      run: () => setOpen({ what: "down", rows: [l] }),
    },
    { label: "编辑文案", need, run: () => setOpen({ what: "copy", listing: l }) },
    address.get("id") !== String(l.id) && {
      label: "预览",
      need: "67.query",
      run: () => set({ id: l.id }, { push: true }),
    },
  ];
  const limited = (rows: readonly Listing[]) => (rows.length > MOST ? `一次最多${MOST}条` : undefined);
  const batch: Batch<ListingRow>[] = [
    { label: "立即同步", need, why: limited, run: sync },
    { label: "暂不发布", need, why: limited, run: (rows) => setOpen({ what: "hold", rows }) },
    { label: "下架", need, why: limited, run: (rows) => setOpen({ what: "down", rows }) },
    { label: "恢复", need, why: limited, run: free },
  ];
  const close = () => setOpen(undefined);
  const layer =
    open?.what === "copy" ? (
      <CopyForm id={open.listing.id} onClose={close} />
    ) : open ? (
      <HoldForm
        title={`${open.what === "hold" ? "暂不发布" : "下架"} ${open.rows.length === 1 ? open.rows[0]!.roomName : `${open.rows.length} 条`}`}
        note={
          open.what === "hold"
            ? "所选房间从全部渠道下架，恢复前不再发布"
            : "只从所选渠道下架，恢复前不再发布到该渠道"
        }
        body={
          open.what === "hold"
            ? { roomIds: [...new Set(open.rows.map((l) => l.roomId))] }
            : { ids: open.rows.map((l) => l.id) }
        }
        onClose={close}
      />
    ) : null;
  return { actsOf, batch, layer };
}

/** Where a listing stands outside, in a window of its own. */
export const Outside = ({ url }: { url: string }) => (
  <a href={url} target="_blank" rel="noreferrer noopener">
    查看
  </a>
);

type Shown = Reply<typeof listing>;

/** One room on one channel: as it is shown there, what stands in the way, and what was said about it. */
export function ListingDrawer({ id }: { id: number }) {
  const { actsOf, layer } = useListingActs();
  return (
    <>
      <Detail
        call={listing}
        sent={{ params: { id } }}
        width={800}
        title={(l) => l.roomName}
        tags={(l) => (
          <>
            <StatusTag tone="grey" dot={false}>
              {l.channelName}
            </StatusTag>
            <WordTag words={LISTING_STATES} code={l.state} />
          </>
        )}
        facts={[
          "occupancy",
          "price",
          "syncedAt",
          { title: "外部链接", show: (l) => (l.outsideUrl ? <Outside url={l.outsideUrl} /> : NONE) },
          { title: "浏览 / 咨询", show: (l) => `${l.views ?? "—"} / ${l.enquiries}` },
          { title: "图片", show: (l) => `${l.pictures} 张` },
          { title: "未上架原因", wide: true, show: (l) => l.reason || NONE },
        ]}
        actions={actsOf}
        tabs={[
          { key: "shown", title: "渠道预览", view: (l) => <Preview shown={l.shown} misses={l.misses} /> },
          {
            key: "events",
            title: "同步记录",
            count: (l) => l.events.length,
            view: (l) => (
              <RowTable
                flat
                schema={listing.reply.shape.events}
                rows={l.events}
                emptyText="还没有同步过"
                columns={[
                  "at",
                  "act",
                  {
                    own: "ok",
                    title: "结果",
                    show: (e) => (
                      <StatusTag tone={e.ok ? "green" : "red"}>{e.ok ? "成功" : "失败"}</StatusTag>
                    ),
                  },
                  { own: "answer", title: "答复", show: (e) => e.answer || NONE },
                ]}
              />
            ),
          },
        ]}
      />
      {layer}
    </>
  );
}

function Preview({ shown, misses }: { shown: Shown["shown"]; misses: readonly string[] }) {
  const line = [shown.layout, `${shown.area}㎡`, shown.floor, shown.orientation && `${shown.orientation}向`];
  return (
    <>
      {misses.length > 0 && (
        <ul className="sync__misses" aria-label="未满足的条件">
          {misses.map((miss) => (
            <li key={miss}>{miss}</li>
          ))}
        </ul>
      )}
      <article className="sync__shown">
        <div className="sync__pics grid gap-3">
          {shown.pictures.slice(0, 4).map((id, i) => (
            <Picture key={id} id={id} alt={`第 ${i + 1} 张`} />
          ))}
          {!shown.pictures.length && <span className="dim">没有图片</span>}
        </div>
        <h3>{shown.title}</h3>
        <p>
          <b>{shown.price}</b>
          <span className="dim"> 可入住：{shown.availableDay}</span>
        </p>
        <p>{line.filter(Boolean).join(" · ")}</p>
        <p>{shown.address}</p>
        {shown.facilities.length > 0 && <p>{shown.facilities.join("、")}</p>}
        {shown.payPlans.length > 0 && <p>{shown.payPlans.join("、")}</p>}
        {shown.description && <p className="sync__text">{shown.description}</p>}
        <p className="dim">联系：{shown.contact}</p>
      </article>
    </>
  );
}

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
            holds: ["views", "enquiries"],
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
