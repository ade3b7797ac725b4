import { useState } from "react";
import { deleteAction, offerAction } from "../../../platform/console/calls/record-acts.ts";
import { type Body, RecordForm } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { USED } from "../../system/dic/dic.rules.ts";
import { addFee, deleteFee, editFee, exportFees, type FeeRow, listFees } from "./fee.contract.ts";

type Typed = Body<typeof addFee>;
const taxed = (v: Partial<Typed>) => v.taxMode !== undefined && v.taxMode !== "none";

const FIELDS: readonly Field<Typed>[] = [
  "name",
  "kind",
  "taxMode",
  { key: "taxRate", when: taxed, must: true },
  { key: "recognise", help: "按计费期逐日确认，或在出账的月份一次确认" },
  "utility",
  "glCode",
  "priority",
];

const START: Partial<Typed> = {
  kind: "income",
  taxMode: "rate",
  taxRate: "6",
  recognise: "onIssue",
  utility: "none",
  priority: 50,
};

const FeeForm = ({ fee, onClose }: { fee?: FeeRow | undefined; onClose: () => void }) => (
  <RecordForm
    add={addFee}
    edit={editFee}
    one="费用"
    record={fee}
    done="已新增"
    initial={START}
    fields={fee ? FIELDS : [...FIELDS, { key: "code", placeholder: "不填由系统给出" }]}
    cols={2}
    width={720}
    onClose={onClose}
  />
);

/** 费用字典 in 配置中心: what bills charge and costs are for, with tax, recognition and the order that money pays them. */
export default function FeesPanel() {
  const [open, setOpen] = useState<"add" | FeeRow>();
  return (
    <>
      <ListPage
        call={listFees}
        unit="项"
        filters={["kind", "state", "keyword"]}
        columns={[
          "priority",
          "name",
          "code",
          "kind",
          "taxMode",
          { key: "taxRate", show: (fee) => (fee.taxMode === "none" ? "—" : `${fee.taxRate}%`) },
          "recognise",
          { key: "utility", hidden: true },
          "glCode",
          "uses",
          { key: "builtIn", hidden: true },
          "state",
          { key: "updatedAt", hidden: true },
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [
            ["kind", (fee) => (fee.taxMode === "none" ? "不征税" : `${fee.taxRate}%`)],
            ["code", "uses"],
          ],
        }}
        toolbar={[{ label: "新增费用", icon: "plus", main: true, does: addFee, run: () => setOpen("add") }]}
        rowActions={(fee) => [
          { label: "编辑", need: "109.edit", run: () => setOpen(fee) },
          offerAction(editFee, 109, fee),
          deleteAction(deleteFee, fee, {
            title: "删除费用",
            body: `确定删除“${fee.name}”吗？`,
            why: fee.builtIn ? "系统内置项不能删除，可改名或停用" : fee.uses ? USED : undefined,
          }),
        ]}
        exportCall={exportFees}
        emptyText="账单收取的费用和成本科目在这里维护"
      />
      {open && <FeeForm fee={open === "add" ? undefined : open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
