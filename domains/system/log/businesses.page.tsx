import { lastDays } from "../../../platform/console/filter/filter.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { listOperators } from "../../access/operator/operator.contract.ts";
import { businessExport, listBusiness } from "./business-log.contract.ts";
import { ChangesDrawer } from "./changes.panel.tsx";
import { KIND_WORDS } from "./kinds.rules.ts";
import { addressOf } from "./place.panel.tsx";

const OPERATORS = {
  call: listOperators,
  option: (o: { id: number; realName: string; phone: string }) => ({
    value: o.id,
    label: o.realName,
    note: o.phone,
  }),
};

/** 业务日志: what happened to contracts, bills, rooms, devices, across records. */
export default function BusinessesPage() {
  return (
    <ListPage
      call={listBusiness}
      filters={[
        { kind: "village", key: "villageIds" },
        { kind: "days", from: "from", to: "to", title: "时间", usual: lastDays(7) },
        { kind: "choice", key: "kind", title: "类型", words: KIND_WORDS },
        { kind: "keyword", key: "keyword", title: "摘要" },
        { kind: "text", key: "number", title: "编号" },
        { kind: "text", key: "action", title: "动作" },
        { kind: "record", key: "operatorId", title: "操作人", source: OPERATORS },
      ]}
      columns={[
        "at",
        "villageName",
        "kindTitle",
        { key: "number", to: (l) => addressOf(l.kind, l.recordId) },
        "action",
        "summary",
        "operatorName",
        { key: "examineNo", to: (l) => addressOf("examine", l.examineId) },
      ]}
      card={{ title: "summary", right: "action", lines: [["operatorName", "at"]] }}
      drawer={(id) => <ChangesDrawer id={id} />}
      exportCall={businessExport}
      emptyText="这段时间没有业务变动。默认显示最近 7 天"
    />
  );
}
