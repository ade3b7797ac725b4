import { send } from "../../../platform/console/calls/request.ts";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { TrialAlert, TrialDrawer, useTrial } from "../../../platform/console/form/trial-drawer.tsx";
import { DicSuggest } from "../../../platform/console/inputs/dic.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import type { Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { SUBJECTS } from "../subject/subject.contract.ts";
import { batchDone } from "./bill.panel.tsx";
import { REDUCE_MODE, previewReduce, reduceBatch, reducePreview } from "../bill-acts/acts.contract.ts";

type Body = Sent<typeof reduceBatch>["body"];
type Wish = Sent<typeof previewReduce>["body"];

/** 批量减免: so much off every chosen bill, each shown before and after; what cannot be reduced is left out, with why. */
export function ReduceForm({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const form = useForm<Body>(reduceBatch.body!, { ids: [...ids], mode: "percent", previewHash: "" });
  const { mode, percent, value, feeSubjectId } = form.values;
  const wish = { ids, mode, ...(mode === "percent" ? { percent } : { value }), feeSubjectId };
  const ready = previewReduce.body.safeParse(wish).success;
  const { shown, fresh, failed, why } = useTrial({
    queryKey: [previewReduce.path],
    typed: wish as Wish,
    ready,
    busy: form.busy,
    ask: (body, signal) => send(previewReduce, { body }, { signal }),
  });
  const left = shown ? shown.rows.length - shown.count : 0;
  return (
    <TrialDrawer
      title={`批量减免 ${ids.length} 笔账单`}
      width={920}
      form={form}
      ok={`确认减免${shown?.count ? ` ${shown.count} 笔` : ""}`}
      // the fields that are missing are named when the button is pressed
      why={fresh && !fresh.count ? "所选账单均不适用该减免方式" : ready ? why : undefined}
      note={
        shown && (
          <>
            {yuan(shown.before)} → <b>{yuan(shown.after)}</b>，减免 {yuan(-shown.change)}
            {left > 0 && <span className="bad">，{left} 笔不减免</span>}
          </>
        )
      }
      take={async (body, idempotencyKey) => {
        const done = fresh!.rows.filter((row) => !row.refusal).map((row) => row.id);
        const reply = await send(
          reduceBatch,
          { body: { ...body, ids: done, previewHash: fresh!.hash } },
          { idempotencyKey },
        );
        return reply.waiting ? batchDone("已减免", reply) : `已减免 ${done.length} 笔`;
      }}
      onClose={onClose}
    >
      <div className="asking">
        <FormFields
          form={form}
          cols={2}
          fields={[
            {
              key: "mode",
              input: (p) => (
                <ChoiceInput
                  {...p}
                  words={REDUCE_MODE}
                  onChange={(next) => p.onChange((next ?? "percent") as Body["mode"])}
                />
              ),
            },
            mode === "percent"
              ? { key: "percent", title: "减少比例 %", placeholder: "0.01-100", must: true }
              : { key: "value", must: true, help: "每笔账单减免该金额" },
            {
              key: "feeSubjectId",
              help: "不选时减免除押金、滞纳金外的全部费用",
              input: (p) => <RecordSelect {...p} source={SUBJECTS} placeholder="全部费用" />,
            },
            {
              key: "reason",
              wide: true,
              input: (p) => (
                <DicSuggest
                  {...p}
                  kind="customer"
                  group="adjustReason"
                  max={200}
                  placeholder="请填写原因（2-200字）"
                />
              ),
            },
          ]}
        />
      </div>
      <TrialAlert text={failed} />
      {shown ? (
        <RowTable
          schema={reducePreview.shape.rows}
          rows={shown.rows}
          columns={[
            "billNo",
            { key: "roomName", show: (row) => row.roomName ?? row.villageName },
            "partyName",
            "subjects",
            "before",
            { key: "change", show: (row) => !row.refusal && <Money fen={row.change} /> },
            {
              key: "after",
              show: (row) =>
                row.refusal ? <span className="bad">{row.refusal}</span> : <Money fen={row.after} strong />,
            },
          ]}
          sums={{ before: shown.before, change: shown.change, after: shown.after }}
          sumNote={`减免 ${shown.count} 笔`}
        />
      ) : (
        <p className="dim">填写减免值后，这里列出每笔账单的调整前后</p>
      )}
    </TrialDrawer>
  );
}
