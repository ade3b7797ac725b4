import type { UseQueryResult } from "@tanstack/react-query";
import { Popover } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reachable } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Card, CellsSkeleton } from "./card.panel.tsx";
import type { TodoRow, TopRow, workbenchTodo } from "./workbench.contract.ts";
import { todoOf } from "./workbench.rules.ts";

/** What waits, one tile for each kind; kinds with nothing are counted in the head and come on a click. */
export function TodoCard({ result }: { result: UseQueryResult<Reply<typeof workbenchTodo>> }) {
  const [all, setAll] = useState(false);
  const list = result.data?.list ?? [];
  const waiting = list.filter((row) => row.count > 0);
  const idle = list.filter((row) => row.count === 0);
  const total = waiting.reduce((sum, row) => sum + row.count, 0);
  const shown = all ? list : waiting;
  const note = (
    <>
      {waiting.length > 0 && `${waiting.length} 类 ${total.toLocaleString("en-US")} 项`}
      {idle.length > 0 && (
        <button
          type="button"
          className="bench__fold"
          aria-expanded={all}
          title={idle.map((row) => todoOf(row.key).title).join("、")}
          onClick={() => setAll(!all)}
        >
          {all
            ? "收起为 0 的项"
            : waiting.length
              ? `，其他 ${idle.length} 项为 0`
              : `${idle.length} 项均为 0`}
        </button>
      )}
    </>
  );
  return (
    <Card
      title="待办"
      note={note}
      result={result}
      skeleton={<CellsSkeleton count={5} className="cells--todo" />}
    >
      {({ list: rows }) =>
        shown.length ? (
          <div className="cells cells--todo">
            {shown.map((row) => (
              <Tile key={row.key} row={row} />
            ))}
          </div>
        ) : (
          <p className="bench__none">{rows.length ? "没有待办事项" : "还没有可见的待办类型"}</p>
        )
      }
    </Card>
  );
}

function Tile({ row }: { row: TodoRow }) {
  const { title, path } = todoOf(row.key);
  const target = reachable(`${path}?${row.target}`);
  const inside = (
    <>
      <span className="cells__k row gap-2 fs-13 sub">{title}</span>
      <span className="cells__v row baseline wrap">
        <b>{row.count > 999 ? "999+" : row.count}</b>
        <Beside row={row} />
      </span>
    </>
  );
  if (row.count === 0) return <div className="cells__one cells__one--none">{inside}</div>;
  return (
    <Popover
      trigger={target ? ["hover", "focus"] : ["hover", "click"]}
      placement="bottomLeft"
      arrow={false}
      mouseEnterDelay={0.15}
      content={
        <TopRows
          title={title}
          note={
            row.count > row.top.length ? `前 ${row.top.length} 项，共 ${row.count} 项` : `共 ${row.count} 项`
          }
          rows={row.top}
          all={target}
        />
      }
    >
      {target ? (
        <Link className="cells__one" to={target}>
          {inside}
        </Link>
      ) : (
        <button type="button" className="cells__one">
          {inside}
        </button>
      )}
    </Popover>
  );
}

/** Behind the count: the sum, red when it is late, or what has been done of it already. */
function Beside({ row }: { row: TodoRow }) {
  const { note } = todoOf(row.key);
  if (row.amountFen !== null)
    return (
      <span className={row.lateCount ? "late" : ""}>
        <Money fen={row.amountFen} />
      </span>
    );
  if (row.lateCount)
    return (
      <span className="late">
        {row.lateCount === row.count ? `最长 ${row.lateDays} 天` : `${row.lateCount} 项超时`}
      </span>
    );
  if (row.done) return <span>已办 {row.done}</span>;
  return note ? <span>{note}</span> : null;
}

/** The approvals that have waited for me the longest; a card only while there are some. */
export function ApprovalsCard({ result }: { result: UseQueryResult<Reply<typeof workbenchTodo>> }) {
  const row = result.data?.list.find((r) => r.key === "approvals");
  if (!row?.count) return null;
  const { title, path } = todoOf("approvals");
  const all = pathTo(path, Object.fromEntries(new URLSearchParams(row.target)));
  return (
    <section className="card bench__waits" aria-label={title}>
      <div className="card__h">
        <h2>{title}</h2>
        <span className="bench__note">{row.count} 条</span>
        <span className="grow" />
        <Link className="more bench__more" to={all}>
          查看全部
        </Link>
      </div>
      <TopRows rows={row.top} />
    </section>
  );
}

type TopRowsProps = {
  /** Above the rows; absent where a card has said it already. */
  title?: string;
  note?: string;
  rows: readonly TopRow[];
  all?: string | undefined;
};

/** The first five records behind a count, each leading to its own page, and the way to all of them. */
export const TopRows = ({ title, note, rows, all }: TopRowsProps) => (
  <div className="top">
    {title && (
      <div className="top__h row">
        <b>{title}</b>
        <span className="dim">{note}</span>
        <span className="grow" />
        {all && <Link to={all}>查看全部</Link>}
      </div>
    )}
    {rows.map((row) => {
      const to = reachable(row.link);
      const inside = (
        <>
          <span className="cut" title={row.title}>
            {row.title}
          </span>
          <span className="cut sub" title={row.sub}>
            {row.sub}
          </span>
          <span className={`num ${row.late ? "bad" : "dim"}`} title={row.day ?? undefined}>
            {row.late ? `${row.late} 天` : (row.day?.slice(5) ?? "")}
          </span>
          {row.amountFen !== null && (
            <b className="num">
              <Money fen={row.amountFen} />
            </b>
          )}
        </>
      );
      const look = `top__r grid gap-4 ${row.amountFen === null ? "top__r--plain" : ""}`;
      return to ? (
        <Link key={row.id} className={look} to={to}>
          {inside}
        </Link>
      ) : (
        <div key={row.id} className={look}>
          {inside}
        </div>
      );
    })}
  </div>
);
