import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { TopRows } from "./top.panel.tsx";
import type { workbenchTodo } from "./workbench.contract.ts";
import { todoOf } from "./workbench.rules.ts";

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
