import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { useList } from "../../../platform/console/list/list-context.ts";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { contractPage, type Renting } from "../room/renting.rules.ts";
import { PRICE_UNITS } from "../room/words.rules.ts";
import { roomDetail, type Reason, type RoomDetail } from "./detail.contract.ts";
import { Picture, RoomTabs } from "./room-tabs.panel.tsx";
import { RoomActs } from "./room-acts.panel.tsx";
import { CHARACTER, CONDITIONS, FLAGS, OCCUPANCIES } from "../status/status.rules.ts";
import "./room.css";

type Props = {
  id: number;
  /** Undefined: today. */
  day?: string | undefined;
  /** How to come back to today, where another day may be looked at. */
  toToday?: () => void;
  /** The village the room lies in, once it is known. */
  onVillage?: (villageId: number) => void;
};

/**
 * One room beside the list or board that names it: what it is, why its three chips read so, what to do next, and
 * everything about it.
 */
export function RoomDrawer({ id, day, toToday, onVillage }: Props) {
  const list = useList();
  const { data, error, refetch } = useQuery({
    ...ask(roomDetail, { params: { roomId: id }, query: { day } }),
    placeholderData: (before) => (before?.id === id ? before : undefined),
  });
  const villageId = data?.villageId;
  const tell = useRef(onVillage);
  tell.current = onVillage;
  useEffect(() => {
    if (villageId !== undefined) tell.current?.(villageId);
  }, [villageId]);
  const at = list?.ids.indexOf(id) ?? -1;
  const [previous, next] = at < 0 ? [] : [list?.ids[at - 1], list?.ids[at + 1]];
  const open = (room: number | undefined) => room !== undefined && list?.open(room);
  const close = () => list?.close();
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
      onClose={close}
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : data ? (
        <Body data={data} toToday={toToday} onGone={close} />
      ) : (
        <RowsSkeleton rows={8} />
      )}
    </Drawer>
  );
}

type BodyProps = { data: RoomDetail; toToday: (() => void) | undefined; onGone: () => void };

function Body({ data, toToday, onGone }: BodyProps) {
  const unit = PRICE_UNITS[data.priceUnit ?? "month"][0];
  const about = [data.layout, `${data.area.toFixed(2)} ㎡`, data.orientation && `朝${data.orientation}`]
    .filter(Boolean)
    .join("，");
  return (
    <div className="rd">
      <div className="rd__top">
        <Picture fileId={data.pictures[0]} label={`${data.name} 的封面`} />
        <div className="grow">
          <div className="rd__price row baseline wrap">
            <b>{data.productName ?? data.fullName.split("·").slice(1).join("·")}</b>
            <span className="sub">{about}</span>
            <span className="grow" />
            {data.listPriceFen !== null && (
              <span className="sub">
                标价 <b>{yuan(data.listPriceFen)}</b> {unit}
                {data.lowestPriceFen !== null && (
                  <span className="dim">（底价 {yuan(data.lowestPriceFen)}）</span>
                )}
              </span>
            )}
          </div>
          <Chips data={data} />
        </div>
      </div>
      <div className="rd__acts row wrap">
        {data.kindOfDay === "today" ? (
          <RoomActs room={data} onGone={onGone} />
        ) : (
          <>
            {toToday && <ActionButtons actions={[{ label: "切换到今天", run: toToday }]} />}
            <span className="dim">切换到今天后可操作</span>
          </>
        )}
      </div>
      <RoomTabs data={data} />
    </div>
  );
}

/** The values of the three axes, each with its reason; or why there are none. */
function Chips({ data }: { data: RoomDetail }) {
  const { occupancy, condition, flags, retiredDay, firstDay, day } = data;
  if (!occupancy || !condition) {
    const why =
      retiredDay && retiredDay <= day
        ? `${retiredDay} 起已注销`
        : firstDay > day
          ? `${firstDay} 起可出租`
          : "按房间出租，状态见其中的各个房间";
    return <p className="rd__none fs-13 sub">{why}</p>;
  }
  return (
    <ul className="rd__why">
      <Why
        swatch={`t-${occupancy.value}`}
        mark={CHARACTER[occupancy.value]}
        word={OCCUPANCIES[occupancy.value][0]}
        reason={occupancy.reason}
        renting={data.contract?.kind}
      />
      <Why
        swatch={condition.value === "rentable" ? "ok" : `plain c-${condition.value}`}
        mark={CHARACTER[condition.value]}
        word={CONDITIONS[condition.value][0]}
        reason={condition.reason}
      />
      {flags.map(({ value, reason }) => (
        <Why
          key={value}
          swatch={`fl s-${FLAGS[value][1]}`}
          mark={CHARACTER[value]}
          word={FLAGS[value][0]}
          reason={reason}
        />
      ))}
      {retiredDay && <li className="dim">{retiredDay} 起注销</li>}
    </ul>
  );
}

const PAGES: Record<
  Exclude<NonNullable<Reason["link"]>["kind"], "contract">,
  { path: string; query: (id: number) => Patch } | undefined
> = {
  bill: { path: "/accountManage/BillListManage", query: (id) => ({ id }) },
  examine: { path: "/workbench/WorkbenchPage", query: (id) => ({ tab: "examine", examineId: id }) },
  roomBlock: undefined,
};

/** Where the record behind a reason is opened; `renting`: the kind of the contract. */
function reasonTo({ kind, id }: NonNullable<Reason["link"]>, renting: Renting | undefined) {
  if (kind === "contract") return renting && reach(contractPage(renting), { id });
  const page = PAGES[kind];
  return page && reach(page.path, page.query(id));
}

type WhyProps = { swatch: string; mark: string; word: string; reason: Reason; renting?: Renting | undefined };
function Why({ swatch, mark, word, reason, renting }: WhyProps) {
  const { link } = reason;
  const to = link && reasonTo(link, renting);
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
