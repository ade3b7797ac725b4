import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, sendWire } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import type { Column } from "../../../platform/console/list/columns.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { resultText } from "./fall.rules.ts";
import { Waterfall } from "./pictures.panel.tsx";
import { RESUBMIT } from "../settlement/settlement.rules.ts";
import { type SettleRow, settlePreview, settlementActs } from "../settlement/settlement.contract.ts";

type Preview = Reply<typeof settlementActs.preview>;

type Line = Preview["lines"][number];
/** Nothing of a line is cut: the tenant asks about every word. */
export const LINE_COLUMNS: readonly Column<Line>[] = [
  { key: "title", width: 260, show: (l) => l.title },
  "amount",
  { key: "clause", width: 120 },
  { key: "formula", show: (l) => l.formula },
];

/** The lines of a settlement with their sum, each with its clause and how it came about. */
export function SettleLines({ preview: p }: { preview: Preview }) {
  const { lines, bills, compare } = settlePreview.shape;
  return (
    <div className="stack gap-8">
      {p.obstacles.map((o) => (
        <p key={o.msg} className="notice s-red" role="alert">
          {o.msg}
        </p>
      ))}
      {p.warnings.map((text) => (
        <p key={text} className="notice s-orange">
          {text}
        </p>
      ))}
      <Waterfall lines={p.lines} net={p.net} />
      <RowTable
        schema={lines}
        rows={p.lines}
        columns={LINE_COLUMNS}
        sums={{ amount: p.net }}
        sumNote={resultText(p.net)}
        emptyText="没有应退也没有应收"
      />
      {p.bills.length > 0 && (
        <>
          <h3>账单变化</h3>
          <RowTable
            schema={bills}
            rows={p.bills}
            columns={[
              { key: "billNo", to: (b) => reach("/accountManage/BillListManage", { id: b.id }) },
              "title",
              "before",
              "after",
              "credit",
              "open",
              "done",
            ]}
          />
        </>
      )}
      <h3>不同计费口径下的结果</h3>
      <RowTable
        schema={compare}
        rows={p.compare}
        columns={[
          { key: "basis", show: (c) => (c.own ? `${c.basis}（合同约定）` : c.basis) },
          { key: "net", show: (c) => resultText(c.net) },
        ]}
      />
    </div>
  );
}

const STEPS = {
  submit: { call: settlementActs.submit, title: "提交结算", ok: "提交", done: "已提交，待租客确认" },
  confirm: { call: settlementActs.confirm, title: "确认结算", ok: "确认结算", done: "已确认结算" },
} as const;

/** Looks at the settlement once more and takes the step with the hash of what is shown. */
export function StepDrawer({
  of,
  step,
  onClose,
}: {
  of: SettleRow;
  step: keyof typeof STEPS;
  onClose: () => void;
}) {
  const { call, title, ok, done } = STEPS[step];
  const refresh = useRefresh();
  const client = useQueryClient();
  const [key] = useState(freshKey);
  const [changed, setChanged] = useState(false);
  const query = ask(settlementActs.preview, { params: { id: of.id }, body: {} });
  const { data: preview, error, refetch } = useQuery(query);
  const run = async () => {
    if (!preview) return;
    const body = { version: of.version, previewHash: preview.previewHash };
    try {
      await sendWire(call, { params: { id: of.id }, body }, call.money ? { idempotencyKey: key } : {});
    } catch (failure) {
      if (failure instanceof Failure && failure.code === "previewChanged") {
        setChanged(true);
        client.setQueryData(query.queryKey, failure.data as Preview);
      }
      throw failure;
    }
    toast(done);
    onClose();
    await refresh();
  };
  const [obstacle] = preview?.obstacles ?? [];
  const resubmit =
    step === "confirm" && of.sheetHash !== null && preview && preview.sheetHash !== of.sheetHash;
  const why = !preview ? "账单试算中" : resubmit ? RESUBMIT : obstacle?.msg;
  return (
    <Drawer
      title={`${title} ${of.actNo}`}
      width={960}
      modal
      onClose={onClose}
      footer={
        <Foot cancel={onClose} note={<span className="sub">{preview && resultText(preview.net)}</span>}>
          <Button look="main" why={why} run={run}>
            {ok}
          </Button>
        </Foot>
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !preview ? (
        <RowsSkeleton rows={8} />
      ) : (
        <div className="record">
          {changed && (
            <div className="form__alert" role="alert">
              账单试算已变化，请核对后重新确认
            </div>
          )}
          {resubmit && (
            <p className="notice s-orange" role="alert">
              {RESUBMIT}
            </p>
          )}
          {preview.net > 0 && !of.payeeText && (
            <p className="notice s-orange">还没有登记收款账户，不能原路退回的退款在支付前须补充</p>
          )}
          <MoneyStrip
            items={[
              { title: "在管押金", fen: preview.deposit },
              { title: "预存款", fen: preview.prepaid },
              { title: preview.net < 0 ? "应收" : "应退", fen: Math.abs(preview.net), key: true },
            ]}
          />
          <SettleLines preview={preview} />
        </div>
      )}
    </Drawer>
  );
}
