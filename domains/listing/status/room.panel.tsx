import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ActionButtons } from "../../../platform/console/actions.tsx";
import { IconButton } from "../../../platform/console/button.tsx";
import { Drawer } from "../../../platform/console/drawer.tsx";
import { panelOf } from "../../../platform/console/load.tsx";
import { useAddress, type Patch } from "../../../platform/console/page.ts";
import { may } from "../../../platform/console/permits.ts";
import { reach } from "../../../platform/console/reach.ts";
import { ask } from "../../../platform/console/request.ts";
import { useSlot } from "../../../platform/console/slots.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { Underline } from "../../../platform/console/underline.tsx";
import { PRICE_UNITS, type PriceUnit } from "../room/words.rules.ts";
import { roomDetail, type Reason, type RoomDetail } from "./detail.contract.ts";
import { Picture } from "./picture.panel.tsx";
import { RoomActs } from "./room-acts.panel.tsx";
import { RoomOverview } from "./room-overview.panel.tsx";
import { RoomLog, RoomPictures, RoomPrices } from "./room-tabs.panel.tsx";
import { TimelineTab } from "./timeline.panel.tsx";
import { CHARACTER } from "./status.rules.ts";
import { CONDITIONS, FLAGS, OCCUPANCIES } from "./words.rules.ts";

type Props = {
  id: number;
  /** Undefined: today. */
  day: string | undefined;
  beside: (step: 1 | -1) => number | undefined;
  open: (id: number | undefined) => void;
  toToday: () => void;
  /** The village the room lies in, once it is known. */
  onVillage: (villageId: number) => void;
};

/** One room beside the board: what it is, why its three chips read so, what to do next, and everything about it. */
export function RoomDrawer({ id, day, beside, open, toToday, onVillage }: Props) {
  const { data, error, refetch } = useQuery({
    ...ask(roomDetail, { params: { roomId: id }, query: { day } }),
    placeholderData: (before) => (before?.id === id ? before : undefined),
  });
  const villageId = data?.villageId;
  const tell = useRef(onVillage);
  tell.current = onVillage;
  useEffect(() => {
    if (villageId !== undefined) tell.current(villageId);
  }, [villageId]);
  const [previous, next] = [beside(-1), beside(1)];
  const tools = (
    <>
      <IconButton
        icon="left"
        label="上一间"
        why={previous ? undefined : "已是第一间"}
        run={() => open(previous)}
      />
      <IconButton
        icon="right"
        label="下一间"
        why={next ? undefined : "已是最后一间"}
        run={() => open(next)}
      />
    </>
  );
  const title = data ? (
    <>
      <span className="cut">{data.place}</span>
      <small className="dim">{data.villageName}</small>
    </>
  ) : (
    "房间详情"
  );
  return (
    <Drawer
      title={title}
      label={data ? `房间 ${data.fullName}` : "房间详情"}
      width={720}
      tools={tools}
      onClose={() => open(undefined)}
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : data ? (
        <Body data={data} toToday={toToday} />
      ) : (
        <RowsSkeleton rows={8} />
      )}
    </Drawer>
  );
}

function Body({ data, toToday }: { data: RoomDetail; toToday: () => void }) {
  const unit = data.priceUnit ? PRICE_UNITS[data.priceUnit as PriceUnit][0] : "元/月";
  const about = [data.layout, `${data.area.toFixed(2)} ㎡`, data.orientation && `朝${data.orientation}`]
    .filter(Boolean)
    .join("，");
  const { occupancy, condition } = data;
  return (
    <div className="rd">
      <div className="rd__top">
        <Picture fileId={data.pictures[0]} label={`${data.name} 的封面`} />
        <div className="grow">
          <div className="rd__price">
            <b>{data.productName ?? data.fullName.split("·").slice(1).join("·")}</b>
            <span className="sub">{about}</span>
            <span className="grow" />
            {data.listPriceFen !== null && (
              <span className="sub">
                挂牌价 <b>{yuan(data.listPriceFen)}</b> {unit}
                {data.lowestPriceFen !== null && (
                  <span className="dim">（底价 {yuan(data.lowestPriceFen)}）</span>
                )}
              </span>
            )}
          </div>
          <ul className="rd__why">
            <Why
              swatch={`t-${occupancy.value}`}
              mark={CHARACTER[occupancy.value]}
              word={OCCUPANCIES[occupancy.value][0]}
              reason={occupancy.reason}
            />
            <Why
              swatch={condition.value === "rentable" ? "ok" : `plain c-${condition.value}`}
              mark={CHARACTER[condition.value]}
              word={CONDITIONS[condition.value][0]}
              reason={condition.reason}
            />
            {data.flags.map(({ value, reason }) => (
              <Why
                key={value}
                swatch={`fl s-${FLAGS[value][1]}`}
                mark={CHARACTER[value]}
                word={FLAGS[value][0]}
                reason={reason}
              />
            ))}
          </ul>
        </div>
      </div>
      <div className="rd__acts">
        {data.kindOfDay === "today" ? (
          <RoomActs room={data} />
        ) : (
          <>
            <ActionButtons actions={[{ label: "切换到今天", run: toToday }]} />
            <span className="dim">切换到今天后可操作</span>
          </>
        )}
      </div>
      <Tabs data={data} />
    </div>
  );
}

const PAGES: Record<
  NonNullable<Reason["link"]>["kind"],
  { path: string; query: (id: number) => Patch } | undefined
> = {
  contract: { path: "/contract/RenterContractPage", query: (id) => ({ id }) },
  bill: { path: "/accountManage/BillListManage", query: (id) => ({ id }) },
  roomBlock: undefined,
};

function Why({ swatch, mark, word, reason }: { swatch: string; mark: string; word: string; reason: Reason }) {
  const { link } = reason;
  const page = link && PAGES[link.kind];
  const to = page && reach(page.path, page.query(link.id));
  return (
    <li>
      <i className={`rb__sw ${swatch}`}>{mark}</i>
      <b>{word}</b>
      <span>
        {link && (to ? <Link to={to}>{link.number}</Link> : link.number)} {reason.text}
      </span>
    </li>
  );
}

function Tabs({ data }: { data: RoomDetail }) {
  const [address, set] = useAddress();
  const panels = useSlot("room.tabs");
  const [seen] = useState(() => ({ log: may(["3.get", "130.query"]), prices: may(["6.get", "3.get"]) }));
  const own = [
    { key: "overview", title: "概览" },
    { key: "timeline", title: "时间轴" },
  ];
  const rest = [
    ...(seen.prices ? [{ key: "prices", title: "价格" }] : []),
    { key: "pictures", title: "图片", ...(data.pictures.length && { count: data.pictures.length }) },
    ...(seen.log ? [{ key: "log", title: "日志" }] : []),
  ];
  const items = [...own, ...panels.map((p) => ({ key: p.key, title: p.title })), ...rest];
  const on = items.find((i) => i.key === address.get("part"))?.key ?? "overview";
  const panel = panels.find((p) => p.key === on);
  const Panel = panel && panelOf(panel);
  const part = () => {
    if (Panel) return <Panel id={data.id} />;
    if (on === "timeline") return <TimelineTab room={data} />;
    if (on === "prices") return <RoomPrices room={data} />;
    if (on === "pictures") return <RoomPictures room={data} />;
    if (on === "log") return <RoomLog id={data.id} />;
    return <RoomOverview room={data} />;
  };
  return (
    <>
      <Underline
        small
        label="房间资料"
        items={items}
        on={on}
        onChange={(key) => set({ part: key === "overview" ? undefined : key })}
      />
      <div role="tabpanel" className="rd__part">
        <Suspense fallback={<RowsSkeleton rows={4} />}>{part()}</Suspense>
      </div>
    </>
  );
}
