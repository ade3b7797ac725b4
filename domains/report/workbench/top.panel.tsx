import { Link } from "react-router";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { reachable } from "../../../platform/console/screens/screen-link.ts";
import type { TopRow } from "./workbench.contract.ts";

/** The first five records behind a count, each leading to its own page, and the way to all of them. */
export const TopRows = ({
  title,
  note,
  rows,
  all,
}: {
  /** Above the rows; absent where a card has said it already. */
  title?: string;
  note?: string;
  rows: readonly TopRow[];
  all?: string | undefined;
}) => (
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
      const look = `top__r ${row.amountFen === null ? "top__r--plain" : ""}`;
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
