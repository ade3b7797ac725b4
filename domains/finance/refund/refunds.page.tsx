import { useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { Place } from "../bill-list/bill.panel.tsx";
import { partyPath } from "../payer/payer.panel.tsx";
import { refundImport } from "./import.contract.ts";
import { ApplyForm } from "./acts.form.tsx";
import { RefundDrawer, sourcePath, useRefundActs } from "./refund.panel.tsx";
import {
  applyForRefund,
  countRefunds,
  exportRefunds,
  listRefunds,
  type RefundRow,
} from "./refund.contract.ts";
import { REFUND_SOURCE, ROUTES, TABS } from "./refund.rules.ts";
import "../account/account.css";

const sumsSaid = (sums: Record<string, unknown>): string =>
  Object.entries(TABS)
    .filter(([key]) => Number(sums[key]))
    .map(([key, { title }]) => `${title} ${yuan(Number(sums[key]))}`)
    .join("，") || "没有退款";

/** What is picked comes to, and what of it is still to be paid where some was paid in part. */
const pickedSaid = (rows: readonly RefundRow[]): string => {
  const sum = rows.reduce((fen, r) => fen + r.amount, 0);
  const paid = rows.reduce((fen, r) => fen + r.paid, 0);
  return `合计 ${yuan(sum)}${paid > 0 && paid < sum ? `，未付 ${yuan(sum - paid)}` : ""}`;
};

/** Money that goes back: asked for, approved, paid once. */
export default function RefundsPage() {
  const acts = useRefundActs();
  const [address, set] = useAddress();
  const [adding, setAdding] = useState(false);
  const [importing, setImporting] = useState(false);
  const partyId = Number(address.get("applyFor")) || undefined;
  const asked = partyId !== undefined && may(applyForRefund.needs);
  return (
    <>
      <ListPage
        call={listRefunds}
        unit="笔"
        tabs={{
          key: "tab",
          counts: countRefunds,
          items: [
            ...Object.entries(TABS).map(([key, { title }]) => ({ key, title })),
            { key: "all", title: "全部" },
          ],
        }}
        filters={[
          "villageIds",
          "source",
          "route",
          "keyword",
          "appliedFrom",
          "paidFrom",
          "amountFrom",
          "partyId",
        ]}
        columns={[
          "refundNo",
          { key: "source", show: (r) => REFUND_SOURCE[r.source][0], width: 84 },
          { key: "sourceNo", to: sourcePath },
          { key: "partyName", to: (r) => partyPath(r.partyKind, r.partyId) },
          { key: "roomName", show: (r) => <Place of={r} />, width: 156 },
          { key: "amount", strong: true },
          { key: "state", width: 96 },
          { key: "route", show: (r) => ROUTES[r.route][0], width: 84 },
          "payeeName",
          "payeeTail",
          "applicant",
          "createdAt",
          { key: "paidAt", hidden: true },
          { key: "failure", hidden: true },
          { key: "reason", hidden: true },
          { key: "villageName", hidden: true },
          { key: "payeeBank", hidden: true },
          { key: "paid", hidden: true },
          { key: "filedAt", hidden: true },
        ]}
        sumNote={sumsSaid}
        card={{
          title: "partyName",
          right: "state",
          lines: [
            [(r) => <Place of={r} />, "amount"],
            ["refundNo", (r) => ROUTES[r.route][0]],
            ["createdAt"],
          ],
        }}
        toolbar={[
          { label: "申请退款", icon: "plus", main: true, does: applyForRefund, run: () => setAdding(true) },
          { label: "导入退款单", does: refundImport.check, run: () => setImporting(true) },
        ]}
        rowActions={acts.of}
        batch={acts.batch}
        pickedNote={pickedSaid}
        drawer={(id) => <RefundDrawer id={id} acts={acts} />}
        exportCall={exportRefunds}
        emptyText="客户的预存款、押金和定金在这里申请退款、审批和支付"
      />
      {importing && (
        <ImportDialog
          title="导入退款单"
          calls={refundImport}
          hint="按模板填写 .xlsx，最多 500 行；有错误时不申请任何一笔"
          totals={(batch) => [{ title: "金额合计", text: yuan(batch.amount) }]}
          onClose={() => setImporting(false)}
        />
      )}
      {(adding || asked) && (
        <ApplyForm
          partyId={partyId}
          onClose={() => {
            setAdding(false);
            set({ applyFor: undefined });
          }}
        />
      )}
      {acts.layer}
    </>
  );
}
