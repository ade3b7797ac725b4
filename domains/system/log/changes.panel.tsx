import { useNavigate } from "react-router";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { getBusiness } from "./log.contract.ts";
import { changesOf, placeOf } from "./changes.rules.ts";
import "../config/config.css";

export const GONE = "记录不存在或无权查看";

/** The address of a record, when it has a page that the operator may open. */
export function addressOf(kind: string | null, id: number | null): string | undefined {
  const place = placeOf(kind, id);
  return place && reach(...place);
}

type Line = Reply<typeof getBusiness>;

function Changes({ line }: { line: Line }) {
  const changes = changesOf(line.before, line.after);
  if (!changes.length) return <Empty text="这条记录没有字段变化" />;
  return (
    <table className="tbl">
      <Heads of={["字段", "变更前", "变更后"]} />
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <td>{change.field}</td>
            <td className="dim">{change.before}</td>
            <td>{change.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One line of the business log: what changed, from what to what. */
export function ChangesDrawer({ id }: { id: number }) {
  const navigate = useNavigate();
  return (
    <Detail
      call={getBusiness}
      sent={{ params: { id } }}
      title={(line) => line.summary}
      tags={(line) => (
        <StatusTag tone="grey" dot={false}>
          {line.action}
        </StatusTag>
      )}
      facts={[
        { key: "at", show: (line) => timeInZone(line.at) },
        "operatorName",
        "villageName",
        "kindTitle",
        "number",
        { title: "记录编号", show: (line) => line.recordId },
        { title: "请求编号", show: (line) => line.requestId || "系统任务", wide: true },
      ]}
      actions={(line) => [
        {
          label: "查看记录",
          why: addressOf(line.opens, line.recordId) ? undefined : GONE,
          run: () => navigate(addressOf(line.opens, line.recordId)!),
        },
        ...(line.examineId
          ? [
              {
                label: "查看审批单",
                why: addressOf("examine", line.examineId) ? undefined : GONE,
                run: () => navigate(addressOf("examine", line.examineId)!),
              },
            ]
          : []),
        {
          label: "查看操作日志",
          need: "68.query",
          why: line.requestId ? undefined : "由系统任务写入，没有操作日志",
          run: () => navigate(pathTo("/system/OperationLog", { keyword: line.requestId })),
        },
      ]}
      tabs={[{ key: "changes", title: "变更内容", view: (line) => <Changes line={line} /> }]}
    />
  );
}
