import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { ask } from "../../../platform/console/request.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { lostAt } from "./lost.contract.ts";

type Told = Reply<typeof lostAt>;

/** Why the page did not open, in one sentence. */
function whyOf({ page }: Told): string {
  if (!page) return "系统中没有这个页面，请检查地址是否完整";
  const { title, functions } = page;
  if (functions.length && functions.every((f) => !f.enabled)) return `“${title}”已由管理员在菜单管理中停用`;
  if (functions.some((f) => f.held && f.enabled)) return `您有“${title}”的权限，但当前版本尚未提供该页面`;
  const needed = functions.map((f) => `${f.name}（${f.code}）`).join("、");
  return `“${title}”需要权限：${needed}${functions.length > 1 ? "（任一项即可）" : ""}`;
}

/** On /404, for somebody who is signed in: which function the path needs, and whom to ask for it. */
export default function LostPanel() {
  const { state } = useLocation() as { state?: { from?: string } | null };
  const path = state?.from?.slice(0, 100);
  const { data, error } = useQuery({
    ...ask(lostAt, { body: { path: path ?? "" } }),
    enabled: !!path,
    staleTime: 0,
  });
  if (error) return <p>需要开通权限时，请联系贵公司的系统管理员</p>;
  if (!data) return null;
  const missing = data.page?.functions.some((f) => f.enabled && !f.held);
  const had = data.page?.functions.some((f) => f.held);
  return (
    <div className="lost__why" role="status">
      <p>{whyOf(data)}</p>
      {missing && !had && (
        <p>
          可以联系：
          {data.ask
            .map((person) => (person.role ? `${person.name}（${person.role}）` : person.name))
            .join("、") || "贵公司的系统管理员"}
        </p>
      )}
    </div>
  );
}
