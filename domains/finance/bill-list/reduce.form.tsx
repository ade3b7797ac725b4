import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { SUBJECTS } from "../subject/subject.contract.ts";
import { batchDone } from "./bill.panel.tsx";
import { REDUCE_MODE, previewReduce, reduceBatch, reducePreview } from "../bill-acts/acts.contract.ts";

type Body = Sent<typeof reduceBatch>["body"];
type Wish = Sent<typeof previewReduce>["body"];

/** 批量减免: so much off every chosen bill, each shown before and after; what cannot be reduced is left out, with why. */
export function ReduceForm({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const refresh = useRefresh();
  const form = useForm<Body>(reduceBatch.body!, { ids: [...ids], mode: "percent", previewHash: "" });
  const [key, setKey] = useState(freshKey);
  const { mode, percent, value, feeSubjectId } = form.values;
  const wish = { ids, mode, ...(mode === "percent" ? { percent } : { value }), feeSubjectId };
  const wanted = useDeferredValue(JSON.stringify(wish));
  const right = previewReduce.body.safeParse(JSON.parse(wanted)).success;
  const preview = useQuery({
    queryKey: [previewReduce.path, wanted],
    queryFn: ({ signal }) => send(previewReduce, { body: JSON.parse(wanted) as Wish }, { signal }),
    enabled: right,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const shown = right && !preview.error ? preview.data : undefined;
  const fresh = shown && !preview.isPlaceholderData ? shown : undefined;
  const left = shown ? shown.rows.length - shown.count : 0;
  const why =
    fresh && fresh.count === 0 ? "所选账单均不适用该减免方式" : right && !fresh ? "正在试算" : undefined;

  const save = async () => {
    const sent = await form.submit(async (body) => {
      const done = fresh!.rows.filter((row) => !row.refusal).map((row) => row.id);
      const reply = await send(
        reduceBatch,
        { body: { ...body, ids: done, previewHash: fresh!.hash } },
        { idempotencyKey: key },
      );
      toast(
        reply.waiting ? batchDone("已减免", reply) : `已减免 ${done.length} 笔，共 ${yuan(-fresh!.change)}`,
      );
    });
    if (sent) onClose();
    else setKey(freshKey());
    await refresh();
  };
  const close = async () => {
    if (!form.busy && (!form.dirty || (await confirmLeave()))) onClose();
  };
  return (
    <Drawer
      title={`批量减免 ${ids.length} 笔账单`}
      width={920}
      modal
      onClose={() => void close()}
      footer={
        <Foot
          form={form}
          cancel={close}
          note={
            shown && (
              <span className="sub">
                {yuan(shown.before)} → <b>{yuan(shown.after)}</b>，减免 {yuan(-shown.change)}
                {left > 0 && <span className="bad">，{left} 笔不减免</span>}
              </span>
            )
          }
        >
          <Button look="main" busy={form.busy} why={why} run={save}>
            确认减免{shown?.count ? ` ${shown.count} 笔` : ""}
          </Button>
        </Foot>
      }
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
            { key: "reason", wide: true },
          ]}
        />
      </div>
      {preview.error && right && (
        <div className="form__alert" role="alert">
          {sentence(preview.error)}
        </div>
      )}
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
    </Drawer>
  );
}
