import { useState } from "react";
import { firstWhy } from "../../../platform/console/list/picked.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { pathTo, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { BILLS, INVOICES } from "../bill/bill.rules.ts";
import { Place } from "../bill-list/bill.panel.tsx";
import { partyPath } from "../payer/payer.panel.tsx";
import { applyBatch, applyInvoice, redInvoice } from "../invoice/acts.contract.ts";
import { ApplyForm } from "./apply.form.tsx";
import { BatchForm } from "./batch.form.tsx";
import { exportLines, exportToRed, type LineRow, listLines, listToRed } from "../invoice/invoice.contract.ts";

const whyNot = (rows: readonly LineRow[]) =>
  firstWhy(
    rows,
    (r) => r.billNo,
    (r) => r.why || undefined,
  );
const sameParty = (rows: readonly LineRow[]) =>
  rows.every((r) => r.partyId === rows[0]?.partyId && r.villageId === rows[0].villageId)
    ? rows.length > 200
      ? "一次最多选择200项费用"
      : undefined
    : "一次只能为同一门店的同一客户开票，不同客户请用批量开票";

/** 可开票费用: lines of which something may be invoiced, to be put on invoices one party or all at once. */
export function LinesToInvoice() {
  const [applying, setApplying] = useState<readonly LineRow[]>();
  const [batch, setBatch] = useState<readonly LineRow[]>();
  return (
    <>
      <ListPage
        call={listLines}
        unit="项"
        filters={["villageIds", "partyId", "subjectIds", "paidFrom", "periodFrom"]}
        columns={[
          { key: "partyName", to: (r) => partyPath(r.partyKind, r.partyId), width: 88 },
          { key: "roomName", show: (r) => <Place of={r} />, width: 152 },
          { key: "subject", width: 88 },
          {
            key: "periodStart",
            title: "计费期",
            holds: ["periodEnd"],
            show: (r) => (r.periodStart ? `${r.periodStart} ~ ${r.periodEnd}` : NONE),
            width: 184,
          },
          { key: "amount" },
          { key: "settled" },
          { key: "earned", hidden: true },
          { key: "invoiced" },
          { key: "invoicing", hidden: true },
          { key: "available", strong: true },
          { key: "taxWord", width: 88 },
          { key: "why", show: (r) => (r.why ? <span className="bad">{r.why}</span> : NONE) },
          { key: "billNo", to: (r) => reach(BILLS, { id: r.billId }), hidden: true },
          { key: "villageName", hidden: true },
        ]}
        card={{
          title: "partyName",
          right: "available",
          lines: [
            [(r) => <Place of={r} />, "subject"],
            [(r) => (r.periodStart ? `${r.periodStart} ~ ${r.periodEnd}` : ""), "taxWord"],
            [(r) => r.why && <span className="bad">{r.why}</span>],
          ],
        }}
        rowActions={(r) => [
          { label: "申请开票", does: applyInvoice, why: r.why || undefined, run: () => setApplying([r]) },
        ]}
        batch={[
          {
            label: "合并开票",
            does: applyInvoice,
            why: (rows) => whyNot(rows) ?? sameParty(rows),
            run: setApplying,
          },
          {
            label: "批量开票",
            does: applyBatch,
            why: (rows) => (rows.length > 500 ? "一次最多选择500项费用" : undefined),
            run: setBatch,
          },
        ]}
        pickedNote={(rows) => `可开 ${yuan(rows.reduce((sum, r) => sum + r.available, 0))}`}
        exportCall={exportLines}
        emptyText="门店启用电子发票配置后，已收款或已确认的费用在这里申请开票"
      />
      {applying && (
        <ApplyForm lineIds={applying.map((r) => r.id).join(",")} onClose={() => setApplying(undefined)} />
      )}
      {batch && <BatchForm lineIds={batch.map((r) => r.id)} onClose={() => setBatch(undefined)} />}
    </>
  );
}

/** 待红冲: what fell below what is invoiced of it. */
export function LinesToRed() {
  const go = useGo();
  return (
    <ListPage
      call={listToRed}
      unit="项"
      filters={["villageIds", "partyId"]}
      columns={[
        { key: "partyName", to: (r) => partyPath(r.partyKind, r.partyId) },
        { key: "roomName", show: (r) => <Place of={r} />, width: 152 },
        "subject",
        { key: "billNo", to: (r) => reach(BILLS, { id: r.billId }) },
        { key: "amount" },
        "invoiced",
        { key: "over", strong: true },
        {
          key: "invoiceNo",
          to: (r) => (r.invoiceId ? pathTo(INVOICES, { tab: "issued", id: r.invoiceId }) : undefined),
        },
        { key: "villageName", hidden: true },
      ]}
      card={{
        title: "partyName",
        right: "over",
        lines: [
          [(r) => <Place of={r} />, "subject"],
          ["invoiceNo", "invoiced"],
        ],
      }}
      rowActions={(r) => [
        r.invoiceId !== null && {
          label: "红冲",
          does: redInvoice,
          run: () => go(INVOICES, { tab: "issued", id: r.invoiceId!, red: 1 }),
        },
      ]}
      exportCall={exportToRed}
      emptyText="减免、退租后低于已开票金额的费用会列在这里，请红冲对应的发票"
    />
  );
}
