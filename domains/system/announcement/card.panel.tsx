import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { listAnnouncements } from "./announcement.contract.ts";
import { AnnouncementDialog } from "./announcement.panel.tsx";
import { ManageDrawer } from "./manage.panel.tsx";
import "../message/message.css";

const newest = ask(listAnnouncements, { query: { mine: "1", pageSize: 5, want: "rows" } });

/** The five newest announcements to me, on the workbench. `?announcement=` opens one. */
export default function AnnouncementsCard() {
  const [address, set] = useAddress();
  const manages = !!useOperator()?.superType;
  const [managing, setManaging] = useState(false);
  const { data, error, refetch } = useQuery(newest);
  const opened = Number(address.get("announcement")) || undefined;
  if (data && !data.list.length && !manages && !opened) return null;
  return (
    <section className="card notices" aria-label="公告">
      <div className="card__h">
        <h2>公告</h2>
        <span className="grow" />
        {manages && (
          <Button look="text" size="sm" run={() => setManaging(true)}>
            公告管理
          </Button>
        )}
      </div>
      {data ? (
        data.list.length ? (
          <ul>
            {data.list.map((a) => (
              <li key={a.id}>
                <button type="button" onClick={() => set({ announcement: a.id }, { push: true })}>
                  <i className={a.read ? "" : "on"} role="img" aria-label={a.read ? "已读" : "未读"} />
                  {a.pinned && <span className="tag s-orange">置顶</span>}
                  <span className={`cut ${a.read ? "" : "new"}`} title={a.title}>
                    {a.title}
                  </span>
                  <time dateTime={a.publishAt}>{timeInZone(a.publishAt).slice(5, 10)}</time>
                </button>
              </li>
            ))}
          </ul>
        ) : (
          <p className="dim notices__none">还没有公告</p>
        )
      ) : error ? (
        <p className="notices__none" role="alert">
          加载失败，
          <Button look="text" size="sm" run={() => refetch()}>
            重试
          </Button>
        </p>
      ) : (
        <RowsSkeleton rows={2} />
      )}
      {opened !== undefined && (
        <AnnouncementDialog key={opened} id={opened} onClose={() => set({ announcement: undefined })} />
      )}
      {managing && <ManageDrawer onClose={() => setManaging(false)} />}
    </section>
  );
}
