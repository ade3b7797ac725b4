import { Fragment } from "react";
import { Link } from "react-router";
import { yuan } from "../../../platform/kernel/fen.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { placeOf } from "../../system/log/changes.rules.ts";
import { PRICE_MODES, ROOM_KINDS } from "../room/words.rules.ts";
import type { RoomDetail } from "./detail.contract.ts";
import { TimelineBars } from "./timeline.panel.tsx";

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
              <Linked to={reach("/contract/RenterContractPage", { id: c.id })}>{c.number}</Linked>
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
              {next.contractId && (
                <Linked to={reach("/contract/RenterContractPage", { id: next.contractId })}>
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
