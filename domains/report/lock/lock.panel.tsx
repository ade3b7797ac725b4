import { useQuery } from "@tanstack/react-query";
import { Tooltip } from "antd";
import { Link } from "react-router";
import { ask } from "../../../platform/console/calls/request.ts";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { type Day, timeInZone } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { monthLocks } from "./lock.contract.ts";
import "./report.css";

type Props = {
  villageIds: string | null;
  from: Day;
  to: Day;
  /** It stands beside the tabs of a page (`TabRight`), else over the corner of `.report`. */
  beside?: boolean;
};

/** Whether the figures of a range can still change, village by village, and the moment they are from. */
export function Locks({ villageIds, from, to, beside = false }: Props) {
  const { data } = useQuery(ask(monthLocks, { query: { from, to, ...(villageIds && { villageIds }) } }));
  if (!data) return null;
  const locked = data.villages.filter((v) => v.locked);
  const open = data.villages.filter((v) => !v.locked);
  const names = (all: typeof open) =>
    all
      .slice(0, 12)
      .map((v) => v.name)
      .join("、") + (all.length > 12 ? ` 等 ${all.length} 个` : "");
  const words = !locked.length
    ? "未锁账"
    : open.length
      ? `已锁账 ${locked.length}/${data.villages.length}`
      : "已锁账";
  const title = (
    <>
      {locked.length > 0 && <div>已锁账：{names(locked)}</div>}
      {open.length > 0 && <div>未锁账：{names(open)}</div>}
    </>
  );
  return (
    <span className={`${beside ? "asof" : "locks"} row fs-12 dim`}>
      <span className="sub">{from === to ? from : `${from} ~ ${to}`}</span>
      <Tooltip title={title}>
        <span tabIndex={0}>
          <StatusTag tone={open.length ? "grey" : "green"}>{words}</StatusTag>
        </span>
      </Tooltip>
      <span>数据截至 {timeInZone(data.asOf).slice(5, 16)}</span>
    </span>
  );
}

/** An amount that opens the records behind it; nothing stays a quiet zero. */
export const Amount = ({ fen, to, strong }: { fen: Fen; to: string; strong?: boolean }) =>
  fen === 0 ? (
    <Money fen={0} />
  ) : (
    <Link className="amount" to={to}>
      <Money fen={fen} strong={strong} />
    </Link>
  );
