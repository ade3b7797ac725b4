import { Detail } from "../../../platform/console/detail/detail.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Picture } from "../room/pictures.panel.tsx";
import { useListingActs } from "./acts.panel.tsx";
import { listing } from "./listing.contract.ts";
import { LISTING_STATES } from "./words.rules.ts";
import "./sync.css";

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
