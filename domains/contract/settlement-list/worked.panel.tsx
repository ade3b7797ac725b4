import { Waterfall } from "../../../platform/console/charts/waterfall.tsx";
import { ask, sendWire } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { ConfirmDrawer } from "../../../platform/console/form/confirm-drawer.tsx";
import type { Column } from "../../../platform/console/list/columns.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Notices } from "../recut/changes.panel.tsx";
import { resultBar, resultText } from "./result.rules.ts";
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
      <Notices obstacles={p.obstacles} warnings={p.warnings} />
      <Waterfall title={`结算过程，${resultText(p.net)}`} lines={p.lines} end={resultBar(p.net)} />
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
  const stale = (p: Preview) => step === "confirm" && of.sheetHash !== null && p.sheetHash !== of.sheetHash;
  return (
    <ConfirmDrawer<Preview>
      title={`${title} ${of.actNo}`}
      ok={ok}
      why={(p) => (stale(p) ? RESUBMIT : p.obstacles[0]?.msg)}
      note={(p) => resultText(p.net)}
      of={ask(settlementActs.preview, { params: { id: of.id }, body: {} })}
      take={async ({ previewHash }, idempotencyKey) => {
        const body = { version: of.version, previewHash };
        await sendWire(call, { params: { id: of.id }, body }, call.money ? { idempotencyKey } : {});
        return done;
      }}
      onClose={onClose}
    >
      {(preview) => (
        <>
          {stale(preview) && (
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
        </>
      )}
    </ConfirmDrawer>
  );
}
