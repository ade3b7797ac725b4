import { useQuery } from "@tanstack/react-query";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { OperationDrawer } from "./operation.panel.tsx";
import { addressOf } from "./changes.panel.tsx";
import { listOperations, operationExport, operationHours } from "./log.contract.ts";

type Filter = Record<string, unknown>;

/** Calls and refusals by hour. A click on an hour shows its day. */
function Hours({ filter, show }: { filter: Filter; show: (day: string) => void }) {
  const { pageNo: _, pageSize: __, sort: ___, order: ____, ...query } = filter;
  const { data = [] } = useQuery({ ...ask(operationHours, { query }), placeholderData: (before) => before });
  const series = [
    { name: "成功", tone: "green" as const, values: data.map((h) => h.ok) },
    { name: "拒绝", tone: "orange" as const, values: data.map((h) => h.refused) },
    { name: "失败", tone: "red" as const, values: data.map((h) => h.failed) },
  ];
  return (
    <Chart
      kind="bar"
      stacked
      title="每小时操作数"
      height={260}
      labels={data.map((h) => h.hour.slice(5, 13))}
      series={series}
      onPick={(_label, i) => data[i] && show(data[i].hour.slice(0, 10))}
    />
  );
}

/** 操作日志: who called what with which outcome. */
export default function OperationsPage() {
  return (
    <ListPage
      call={listOperations}
      filters={[
        "from",
        "outcome",
        "operatorId",
        "keyword",
        "method",
        "targetKind",
        "targetId",
        "permissionId",
        "ip",
      ]}
      columns={[
        "at",
        "operatorName",
        "functionName",
        "summary",
        { key: "target", to: (o) => addressOf(o.opens, o.targetId) },
        "outcome",
        "durationMs",
        "ip",
        { key: "userAgent", width: 200 },
      ]}
      card={{ title: "summary", right: "outcome", lines: [["operatorName", "at"]] }}
      picture={(query, filter) => <Hours filter={query} show={(day) => filter({ from: day, to: day })} />}
      drawer={(id) => <OperationDrawer id={id} />}
      exportCall={operationExport}
      emptyText="这段时间没有操作。默认显示最近 7 天，最多可查 92 天"
    />
  );
}
