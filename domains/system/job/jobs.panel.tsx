import { doing } from "../../../platform/console/parts/actions.tsx";
import { useState } from "react";
import { durationText } from "../../../platform/kernel/duration.ts";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { disableJob, enableJob, listJobs, listRuns, runJob } from "./job.contract.ts";
import { BUSY } from "./job.rules.ts";

type TimedJob = Row<typeof listJobs>;

/** Under a minute as it was measured, above it in minutes and seconds. */
const lasted = (seconds: number | null) =>
  seconds === null ? "—" : seconds < 60 ? `${seconds} 秒` : durationText(seconds);

const RunsDrawer = ({ of, onClose }: { of: TimedJob; onClose: () => void }) => (
  <Drawer title={`执行记录：${of.title}`} width={860} modal onClose={onClose}>
    <ListPage
      call={listRuns}
      params={{ name: of.name }}
      unit="次"
      columns={[
        "beganAt",
        { key: "seconds", show: (run) => lasted(run.seconds) },
        "processed",
        "result",
        { key: "askedBy", show: (run) => run.askedBy ?? "定时" },
        { key: "error", width: 260 },
      ]}
      emptyText="还没有执行过"
    />
  </Drawer>
);

/** 定时任务: what runs by itself, how it last went, when it comes round again. */
export default function JobsPanel() {
  const platform = useOperator()?.superType === "0";
  const [opened, setOpened] = useState<TimedJob>();
  return (
    <>
      <ListPage
        call={listJobs}
        unit="个"
        filters={["result", "keyword"]}
        columns={[
          {
            key: "title",
            width: 190,
            show: (job) => (
              <button type="button" className="linkish" onClick={() => setOpened(job)}>
                {job.title}
              </button>
            ),
          },
          "schedule",
          "enabled",
          "lastAt",
          { key: "seconds", show: (job) => lasted(job.seconds) },
          "processed",
          "result",
          "nextAt",
        ]}
        card={{ title: "title", right: "result", lines: [["schedule", "enabled"], ["nextAt"]] }}
        rowActions={(job) =>
          platform
            ? [
                {
                  label: "立即执行",
                  why: job.result === "running" || job.result === "waiting" ? BUSY : undefined,
                  ...doing(runJob, { params: { name: job.name } }, "已开始执行，稍后刷新查看结果", {
                    title: "立即执行",
                    body: `确定现在执行“${job.title}”吗？`,
                  }),
                },
                job.enabled === "on"
                  ? {
                      label: "停用",
                      ...doing(disableJob, { params: { name: job.name } }, "已停用", {
                        title: "停用定时任务",
                        body: `停用后“${job.title}”不再按时执行，确定吗？`,
                      }),
                    }
                  : { label: "启用", ...doing(enableJob, { params: { name: job.name } }, "已启用") },
                { label: "执行记录", run: () => setOpened(job) },
              ]
            : [{ label: "执行记录", run: () => setOpened(job) }]
        }
        emptyText="没有定时任务"
      />
      {opened && <RunsDrawer of={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
