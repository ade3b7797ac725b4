import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Popover } from "antd";
import { useEffect, useState } from "react";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { ask, download } from "../../../platform/console/calls/request.ts";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { downloadFile, listDownloads, STATE_WORDS } from "./download.contract.ts";
import "../config/config.css";

type Task = Row<typeof listDownloads>;
const RECENT = { pageSize: 6, want: "rows" } as const;
const EVERY_MS = 3_000;
const isOpen = (task: Task) => task.state === "queued" || task.state === "running";

const One = ({ task }: { task: Task }) => (
  <li>
    <div className="row gap-6 between">
      <span className="cut" title={task.name}>
        {task.name}
      </span>
      {task.state === "ready" ? (
        <button
          type="button"
          className="linkish"
          onClick={() => void download(downloadFile, { params: { id: task.id } })}
        >
          下载
        </button>
      ) : (
        <WordTag words={STATE_WORDS} code={task.state} />
      )}
    </div>
    {task.state === "running" && (
      <span className="bar dl__bar" role="progressbar" aria-valuenow={Math.round(task.progress * 100)}>
        <i style={{ width: `${task.progress * 100}%` }} />
      </span>
    )}
    {task.error && <small className="bad">{task.error}</small>}
  </li>
);

const query = ask(listDownloads, { query: RECENT });

/** In the header: one's own exports, for everybody, also for those who may not open the download centre. */
export default function DownloadsPanel() {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const { data } = useQuery(query);
  const tasks = data?.list ?? [];
  const busy = tasks.filter(isOpen).length;
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(
      () => document.hidden || void client.invalidateQueries({ queryKey: query.queryKey }),
      EVERY_MS,
    );
    return () => clearInterval(timer);
  }, [busy, client]);
  const content = (
    <div className="dl">
      <b>我的导出</b>
      {tasks.length ? (
        <ul>
          {tasks.map((task) => (
            <One key={task.id} task={task} />
          ))}
        </ul>
      ) : (
        <Empty text="导出的文件会出现在这里，保留 7 天" />
      )}
    </div>
  );
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (next) void client.invalidateQueries({ queryKey: query.queryKey });
      }}
      content={content}
    >
      <button
        type="button"
        className="ib dl__button"
        aria-label={busy ? `我的导出，${busy} 个进行中` : "我的导出"}
      >
        <Icon name="download" />
        {busy > 0 && <i className="dl__count">{busy}</i>}
      </button>
    </Popover>
  );
}
