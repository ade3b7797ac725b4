import { useState } from "react";
import { deleteAction, switchAction } from "../../../platform/console/calls/record-acts.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import {
  type IndicatorRow,
  addIndicator,
  deleteIndicator,
  disableIndicator,
  editIndicator,
  enableIndicator,
  exportIndicators,
  getIndicator,
  listIndicators,
  orderIndicators,
  tryIndicator,
} from "./budget-indicator.contract.ts";
import { IndicatorForm, OrderDialog, TryDialog } from "./indicator.form.tsx";

/** 预算配置: what is budgeted, and where its actual comes from. */
export default function IndicatorsPage() {
  const [editing, setEditing] = useState<IndicatorRow>();
  const [trying, setTrying] = useState<IndicatorRow>();
  const [ordering, setOrdering] = useState<IndicatorRow[]>();
  const acts = (one: IndicatorRow): Actions => [
    { label: "编辑", does: editIndicator, run: () => setEditing(one) },
    { label: "试算", does: tryIndicator, run: () => setTrying(one) },
    switchAction({ enable: enableIndicator, disable: disableIndicator }, one, {
      ask: { title: "停用预算指标", body: `停用后 ${one.name} 不再出现在新的预算中，已填写的预算保留。` },
    }),
    deleteAction(deleteIndicator, one, { title: "删除预算指标", body: `确定删除 ${one.name} 吗？` }),
  ];
  return (
    <>
      <ListPage
        call={listIndicators}
        unit="个指标"
        filters={["kind", "state", "keyword"]}
        columns={[
          {
            key: "name",
            show: (one) => <span style={{ paddingLeft: one.level * 16 }}>{one.name}</span>,
          },
          "code",
          "kind",
          "unit",
          "basis",
          { key: "sourceText", width: 320 },
          "agg",
          "better",
          "must",
          "state",
          { key: "updatedName", hidden: true },
          { key: "updatedAt", hidden: true },
        ]}
        card={{ title: "name", right: "state", lines: [["kind", "unit"], ["sourceText"]] }}
        adds={{ does: addIndicator, form: (close) => <IndicatorForm onClose={close} /> }}
        toolbar={[
          {
            label: "排序",
            does: orderIndicators,
            run: async () =>
              setOrdering((await send(listIndicators, { query: { pageSize: 200, want: "rows" } })).list),
          },
        ]}
        rowActions={acts}
        drawer={(id) => (
          <Detail
            call={getIndicator}
            sent={{ params: { id } }}
            title={(one) => one.name}
            tags={(one) => <WordTag words={SWITCHED} code={one.state} />}
            facts={[
              "code",
              "kind",
              "unit",
              "basis",
              "by",
              "agg",
              "better",
              "must",
              "updatedAt",
              { key: "sourceText", wide: true },
            ]}
            actions={acts}
            log="budgetIndicator"
          />
        )}
        exportCall={exportIndicators}
        emptyText="定义预算哪些指标，以及实际数从哪里取"
      />
      {editing && <IndicatorForm record={editing} onClose={() => setEditing(undefined)} />}
      {trying && <TryDialog indicator={trying} onClose={() => setTrying(undefined)} />}
      {ordering && <OrderDialog indicators={ordering} onClose={() => setOrdering(undefined)} />}
    </>
  );
}
