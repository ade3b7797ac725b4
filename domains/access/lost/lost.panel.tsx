import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { ask } from "../../../platform/console/calls/request.ts";
import { theHouse } from "../../../platform/console/screens/slots.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { lostAt } from "./lost.contract.ts";

type Told = Reply<typeof lostAt>;

/** Whether this release has the page, or any page of the menu. */
const isBuilt = (path: string): boolean =>
  theHouse().screens.some((screen) => screen.path === path || screen.menu === path);

const isPlatforms = (path: string): boolean => theHouse().screens.some((s) => s.path === path && s.platform);

/** Why the page did not open, in one sentence. */
function whyOf({ page }: Told, path: string): string {
  if (!page) return "系统中没有这个页面，请检查地址是否完整";
  const { title, functions } = page;
  if (isPlatforms(path)) return `“${title}”仅平台管理员可以打开`;
  if (!isBuilt(path)) return `当前版本尚未提供“${title}”`;
  if (functions.length && functions.every((f) => !f.enabled)) return `“${title}”已由管理员在菜单管理中停用`;
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
  if (!data || !path) return null;
  const lacks = isBuilt(path) && !isPlatforms(path) && data.page?.functions.some((f) => f.enabled);
  return (
    <div className="lost__why" role="status">
      <p>{whyOf(data, path)}</p>
      {lacks && (
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
