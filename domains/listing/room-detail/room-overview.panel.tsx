import { Fragment } from "react";
import { Link } from "react-router";
import { yuan } from "../../../platform/kernel/fen.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { placeOf } from "../../system/log/changes.rules.ts";
import { PRICE_MODES, ROOM_KINDS } from "../room/words.rules.ts";
import { contractPage } from "../room/renting.rules.ts";
import type { RoomDetail } from "./detail.contract.ts";
import { useQuery } from "@tanstack/react-query";
import {
  addDays,
  addMonths,
  daysBetween,
  firstOf,
  maxDay,
  minDay,
  monthOf,
  type Day,
} from "../../../platform/kernel/day.ts";
import { usePhone } from "../../../platform/console/filter/stored-choice.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { roomTimeline } from "../status/overview.contract.ts";

type Bar = Awaited<ReturnType<ReturnType<typeof ask<typeof roomTimeline>>["queryFn"]>>[number];

const KINDS = { lease: "租约", reservation: "预订", block: "封房", turnover: "待保洁" } as const;
/** How a stretch of the timeline is filled, by its kind. */
export const FILL = {
  lease: "t-occupied",
  reservation: "t-reserved",
  block: "c-offline plain",
  turnover: "s-gold fl",
} as const;

const fillOf = (bar: Bar, room: RoomDetail) =>
  bar.kind === "lease" && bar.contractId === room.contract?.id
    ? `t-${room.occupancy?.value}`
    : FILL[bar.kind];

/** The span that is drawn: from the bar before today to a little after the last one, at least three months each way. */
function spanOf(bars: readonly Bar[], day: Day): { from: Day; to: Day } {
  const starts = bars.filter((b) => b.from <= day).map((b) => b.from);
  const ends = bars.map((b) => b.to ?? addMonths(day, 6));
  const from = starts.reduce(minDay, addMonths(day, -3));
  const to = ends.reduce(maxDay, addMonths(day, 3));
  return {
    from: firstOf(monthOf(maxDay(from, addMonths(day, -14)))),
    to: addDays(minDay(to, addMonths(day, 18)), 7),
  };
}

/** Leases, holds, blocks and cleanings to scale, with today across them. */
export function TimelineBars({ room }: { room: RoomDetail }) {
  const { data, error, refetch } = useQuery(ask(roomTimeline, { params: { id: room.id }, query: {} }));
  const phone = usePhone();
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={2} />;
  const bars = data.filter((b) => !b.ended || b.kind === "turnover");
  const { from, to } = spanOf(bars, room.day);
  const whole = daysBetween(from, to);
  const at = (day: Day) => (Math.min(whole, Math.max(0, daysBetween(from, day))) / whole) * 100;
  const months: Day[] = [];
  for (let day = from; day <= to; day = addMonths(day, 1)) months.push(day);
  const every = Math.ceil(months.length / 9) * (phone ? 2 : 1);
  return (
    <>
      <h3>
        时间轴
        <span className="dim">
          {from.slice(0, 7)} 至 {to.slice(0, 7)}
        </span>
      </h3>
      <div
        className="rd__time"
        role="img"
        aria-label={bars.map((b) => `${KINDS[b.kind]} ${b.title} ${b.from} 至 ${b.to ?? "未定"}`).join("；")}
      >
        {months.map((month, i) => (
          <span key={month} className="rd__month" style={{ left: `${at(month)}%` }}>
            {i % every === 0 &&
              at(month) < 94 &&
              (i === 0 || month.endsWith("-01-01") ? month.slice(0, 7) : `${Number(month.slice(5, 7))} 月`)}
          </span>
        ))}
        {bars.map((bar, i) => {
          const left = at(bar.from);
          const right = at(addDays(bar.to ?? (bar.kind === "turnover" ? room.day : to), 1));
          return (
            <i
              key={i}
              className={`rd__bar ${fillOf(bar, room)}`}
              style={{ left: `${left}%`, width: `${Math.max(0.5, right - left)}%` }}
              title={`${KINDS[bar.kind]} ${bar.title}，${bar.from} 至 ${bar.to ?? "未定"}`}
            >
              {bar.title}
              {bar.rentFen !== null && `　${yuan(bar.rentFen)} 元/月`}
            </i>
          );
        })}
        <b className="rd__now" style={{ left: `${at(room.day)}%` }}>
          {room.kindOfDay === "today" ? "今天" : room.day.slice(5)}
        </b>
      </div>
    </>
  );
}

/** The same as a table, newest first, with the records behind it. */
export function TimelineTab({ room }: { room: RoomDetail }) {
  const span = { from: addMonths(room.day, -60), to: addMonths(room.day, 36) };
  const { data, error, refetch } = useQuery(ask(roomTimeline, { params: { id: room.id }, query: span }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  if (!data.length) return <Empty text="该房间还没有租约、封房或保洁记录" />;
  return (
    <>
      <TimelineBars room={room} />
      <div className="box rd__table">
        <table className="tbl">
          <Heads of={["类型", "内容", "编号", "开始", "结束", ["天数", "num"]]} />
          <tbody>
            {data.toReversed().map((bar, i) => {
              const to = bar.contractKind
                ? reach(contractPage(bar.contractKind), { id: bar.contractId! })
                : bar.reservationId
                  ? reach("/configuration/BookingManagement", { tab: "reservation", id: bar.reservationId })
                  : undefined;
              return (
                <tr key={i} className={bar.ended && bar.kind !== "turnover" ? "dim" : ""}>
                  <td>{KINDS[bar.kind]}</td>
                  <td>
                    {bar.title}
                    {bar.letRoomName && <span className="dim">（{bar.letRoomName}）</span>}
                  </td>
                  <td>{to ? <Link to={to}>{bar.number}</Link> : bar.number || "—"}</td>
                  <td>{bar.from}</td>
                  <td>{bar.to ?? "未定"}</td>
                  <td className="num">{bar.days ?? "—"}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

type Contract = NonNullable<RoomDetail["contract"]>;
const share = (c: Contract) => (c.billedFen > 0 ? Math.min(1, c.receivedFen / c.billedFen) : 0);

/** A tenant, a company and a merchant have a page each. */
const partyPage = (c: Contract): string | undefined => {
  const place = placeOf(c.partyKind, c.partyId);
  return place && reach(...place);
};

const Linked = ({ to, children }: { to: string | undefined; children: React.ReactNode }) =>
  to ? <Link to={to}>{children}</Link> : <>{children}</>;

/** Who has the room and how it stands with the money, or since when it is empty and what that cost. */
export function RoomOverview({ room }: { room: RoomDetail }) {
  const { contract: c, next, vacant } = room;
  return (
    <div className="rd__overview">
      {c && (
        <>
          <h3>{room.occupancy?.value === "reserved" ? "签约中的合同" : "当前合同"}</h3>
          <dl className="facts">
            <dt>租客</dt>
            <dd>
              <Linked to={partyPage(c)}>{c.partyName}</Linked> <span className="sub">{c.phone}</span>
            </dd>
            <dt>合同</dt>
            <dd>
              <Linked to={reach(contractPage(c.kind), { id: c.id })}>{c.number}</Linked>
            </dd>
            <dt>租期</dt>
            <dd>
              {c.start} ~ {c.end}
            </dd>
            <dt>月租金</dt>
            <dd>
              {yuan(c.rentFen)} <span className="dim">{c.payText}</span>
            </dd>
            <dt>下期账单</dt>
            <dd>
              {c.nextDueOn ? (
                <>
                  {c.nextDueOn} <Money fen={c.nextDueFen} />
                </>
              ) : (
                <span className="dim">无</span>
              )}
            </dd>
            <dt>押金</dt>
            <dd>
              <Money fen={c.depositFen} />
            </dd>
            <dt>同住人</dt>
            <dd>
              {c.occupants.length ? (
                c.occupants
                  .map(
                    (o) =>
                      `${o.name}${o.relation ? ` ${o.relation}` : ""}${o.lockAccess ? "，有门锁权限" : ""}`,
                  )
                  .join("；")
              ) : (
                <span className="dim">无</span>
              )}
            </dd>
            <dt>已收 / 应收</dt>
            <dd className="row">
              <span>
                {yuan(c.receivedFen)} / {yuan(c.billedFen)}
              </span>
              <span className="bar s-green">
                <i style={{ width: `${share(c) * 100}%` }} />
              </span>
            </dd>
          </dl>
        </>
      )}
      {vacant && (
        <>
          <h3>空置</h3>
          <dl className="facts">
            <dt>空置自</dt>
            <dd>
              {vacant.since} <span className="dim">{vacant.days} 天</span>
            </dd>
            <dt>空置损失</dt>
            <dd>
              <Money fen={vacant.lossFen} /> <span className="dim">标价 × 天数 ÷ 30</span>
            </dd>
          </dl>
        </>
      )}
      {next && (
        <>
          <h3>下一租客</h3>
          <dl className="facts">
            <dt>{next.kind === "lease" ? "已签" : "签约中"}</dt>
            <dd>
              {next.partyName}{" "}
              {next.contractKind && (
                <Linked to={reach(contractPage(next.contractKind), { id: next.contractId! })}>
                  {next.number}
                </Linked>
              )}
            </dd>
            <dt>租期</dt>
            <dd>
              {next.from} ~ {next.to ?? "未定"}
            </dd>
          </dl>
        </>
      )}
      <TimelineBars room={room} />
      <RoomFacts room={room} />
    </div>
  );
}

/** What the room is, whoever lives in it. */
function RoomFacts({ room }: { room: RoomDetail }) {
  const facts: [title: string, value: React.ReactNode][] = [
    ["类型", ROOM_KINDS[room.kind][0]],
    ["可住", `${room.capacity} 人`],
    ["定价方式", PRICE_MODES[room.priceMode][0]],
    ["最短租期", room.minTermMonths === null ? "—" : `${room.minTermMonths} 个月`],
    ["可租日期", room.firstDay],
    ["注销日", room.retiredDay ?? "—"],
  ];
  const texts: [title: string, value: string][] = [
    ["设施", room.facilities.join("、") || "—"],
    ["标签", room.tags.join("、") || "—"],
    ["描述", room.description],
    ["备注", room.remark],
  ];
  return (
    <>
      <h3>房间</h3>
      <dl className="facts">
        {facts.map(([title, value]) => (
          <Fragment key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
        {texts.map(
          ([title, value]) =>
            value && (
              <Fragment key={title}>
                <dt>{title}</dt>
                <dd className="wide">{value}</dd>
              </Fragment>
            ),
        )}
      </dl>
    </>
  );
}
