import { useQuery } from "@tanstack/react-query";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { lastDays } from "../../../platform/console/filter/filter.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { listOperators } from "../../access/operator/operator.contract.ts";
import { OperationDrawer } from "./operation.panel.tsx";
import { KIND_WORDS } from "./kinds.rules.ts";
import { addressOf } from "./place.panel.tsx";
import {
  listOperations,
  METHOD_WORDS,
  operationExport,
  operationHours,
  OUTCOME_WORDS,
} from "./operation-log.contract.ts";

const OPERATORS = {
  call: listOperators,
  option: (o: { id: number; realName: string; phone: string }) => ({
    value: o.id,
    label: o.realName,
    note: o.phone,
  }),
};

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
        { kind: "days", from: "from", to: "to", title: "时间", usual: lastDays(7) },
        { kind: "choice", key: "outcome", title: "结果", words: OUTCOME_WORDS, many: true },
        { kind: "record", key: "operatorId", title: "操作人", source: OPERATORS },
        { kind: "keyword", key: "keyword", title: "动作、操作人、路径、请求编号" },
        { kind: "choice", key: "method", title: "方法", words: METHOD_WORDS, many: true },
        { kind: "choice", key: "targetKind", title: "对象类型", words: KIND_WORDS },
        { kind: "text", key: "targetId", title: "对象编号" },
        { kind: "text", key: "permissionId", title: "功能编号" },
        { kind: "text", key: "ip", title: "地址" },
      ]}
      columns={[
        "at",
        "operatorName",
        "functionName",
        "summary",
        { key: "target", to: (o) => addressOf(o.targetKind, o.targetId) },
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
