import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Words } from "../../../platform/kernel/field.ts";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress, usePage } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask, download } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import {
  downloadFile,
  downloadTypes,
  listDownloadRecords,
  listDownloads,
  removeDownloads,
  retryDownload,
} from "./download.contract.ts";
import "../config/config.css";

/** Bytes as people read them: 812 B, 12.4 K, 3.1 M. */
function sizeText(bytes: number | null): string {
  if (bytes === null) return "—";
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} K` : `${(bytes / 1_048_576).toFixed(1)} M`;
}

type Task = Row<typeof listDownloads>;
const OPEN = { state: "queued,running", want: "totals" } as const;
const EVERY_MS = 3_000;

/** While something is being made the list follows it. */
function useFollow() {
  const { active } = usePage();
  const refresh = useRefresh();
  const { data } = useQuery(ask(listDownloads, { query: OPEN }));
  const open = data?.total ?? 0;
  useEffect(() => {
    if (!open || !active) return;
    const timer = setInterval(() => void refresh(), EVERY_MS);
    return () => clearInterval(timer);
  }, [open, active, refresh]);
}

function useTypes(): Words {
  const { data = [] } = useQuery({ ...ask(downloadTypes), staleTime: 300_000 });
  return Object.fromEntries(data.map(({ type, title }) => [type, [title, "grey"] as const]));
}

function MyTasks() {
  const act = useAct();
  const refresh = useRefresh();
  useFollow();
  const types = useTypes();
  const remove = (task: Task, word: string) =>
    act(
      removeDownloads,
      { query: { ids: String(task.id) } },
      {
        done: `已${word}`,
        ask: { title: `${word}导出任务`, body: `确定${word}“${task.name}”吗？`, ok: word },
      },
    );
  const actions = (task: Task): Actions => [
    task.state === "ready" && {
      label: "下载",
      run: async () => {
        await download(downloadFile, { params: { id: task.id } });
        await refresh();
      },
    },
    task.state === "failed" && {
      label: "重试",
      run: () => act(retryDownload, { params: { id: task.id } }, { done: "已重新提交" }),
    },
    task.state === "queued" || task.state === "running"
      ? { label: "取消", run: () => remove(task, "取消") }
      : { label: "删除", danger: true, run: () => remove(task, "删除") },
  ];
  return (
    <ListPage
      call={listDownloads}
      unit="个"
      filters={["state", { key: "type", words: types }]}
      columns={[
        "name",
        "type",
        "words",
        "rows",
        { key: "size", title: "大小", show: (t) => sizeText(t.size) },
        "state",
        "progress",
        "createdAt",
        "expiresAt",
        "downloads",
        { key: "error", hidden: true },
      ]}
      card={{ title: "name", right: "state", lines: [["rows", "progress"], ["createdAt"]] }}
      rowActions={actions}
      emptyText="在任何列表点导出，超过 5,000 行的文件会在这里生成，保留 7 天"
    />
  );
}

const Records = () => (
  <ListPage
    call={listDownloadRecords}
    filters={[{ key: "type", words: useTypes() }, "from", "operatorId"]}
    columns={["at", "operatorName", "name", "type", "rows", "ip", "usage"]}
    card={{ title: "name", right: "operatorName", lines: [["rows", "at"]] }}
    emptyText="还没有下载记录"
  />
);

/** 下载中心: one's own exports, and who took which data. */
export default function DownloadsPage() {
  const [address, set] = useAddress();
  const tab = address.get("tab") === "records" && may("257.query") ? "records" : "mine";
  // a filter of one list means nothing to the other
  const change = (key: string) =>
    set({ ...Object.fromEntries([...address.keys()].map((k) => [k, undefined])), tab: key });
  const items = [
    { key: "mine", title: "我的任务" },
    ...(may("257.query") ? [{ key: "records", title: "下载记录" }] : []),
  ];
  return (
    <div className="downloads">
      <Underline items={items} on={tab} onChange={change} label="下载中心" />
      {tab === "mine" ? <MyTasks /> : <Records />}
    </div>
  );
}
