import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { INVOICES } from "../bill/bill.rules.ts";
import { partyPath } from "../payer/payer.panel.tsx";
import { ApplyForm } from "./apply.form.tsx";
import { countInvoices, exportInvoices, listInvoices } from "../invoice/invoice.contract.ts";
import { InvoiceDrawer, useInvoiceActs } from "./invoice.panel.tsx";
import { TABS } from "../invoice/invoice.rules.ts";
import { LinesToInvoice, LinesToRed } from "./lines.panel.tsx";

const LISTS = [
  { key: "lines", title: "可开票费用" },
  ...Object.entries(TABS).map(([key, { title }]) => ({ key, title })),
  { key: "toRed", title: "待红冲" },
  { key: "all", title: "全部" },
];

/** 发票管理: what may be invoiced, what is applied for, made, failed and taken back. */
export default function InvoicesPage() {
  const [address, set] = useAddress();
  const go = useGo();
  const villageIds = address.get("villageIds") ?? undefined;
  const { data: counts } = useQuery(ask(countInvoices, { query: villageIds ? { villageIds } : {} }));
  // a link to one record says nothing of the list that it stands in
  const usual = address.get("id") ? "all" : "lines";
  const on = LISTS.find(({ key }) => key === address.get("tab"))?.key ?? usual;
  const bills = address.get("bills") ?? undefined;
  const items = LISTS.map((list) => ({
    ...list,
    ...(counts?.[list.key] !== undefined && { count: counts[list.key] }),
  }));
  return (
    <>
      <TabPage label="发票管理" items={items} on={on} onChange={(tab) => go(INVOICES, { tab, villageIds })}>
        {on === "lines" ? (
          <LinesToInvoice key={on} />
        ) : on === "toRed" ? (
          <LinesToRed key={on} />
        ) : (
          <Invoices key={on} tab={on} />
        )}
      </TabPage>
      {bills && <ApplyForm billIds={bills} onClose={() => set({ bills: undefined })} />}
    </>
  );
}

function Invoices({ tab }: { tab: string }) {
  const acts = useInvoiceActs();
  // it has neither number nor day yet: what counts is why
  const unmade = tab === "issuing" || tab === "failed";
  const [filters] = useState(
    () =>
      [
        "villageIds",
        "keyword",
        "issuedFrom",
        "kind",
        ...(tab === "all" || tab === "red" || tab === "issued" ? (["state"] as const) : []),
        "titleType",
        "partyId",
        "enterpriseId",
      ] as const,
  );
  return (
    <>
      <ListPage
        call={listInvoices}
        unit="张"
        fixed={{ tab }}
        filters={filters}
        columns={[
          { key: "applyNo", width: 152 },
          { key: "invoiceNo", width: 172, hidden: unmade },
          { key: "kind", width: 64 },
          { key: "title", to: (i) => partyPath(i.partyKind, i.partyId) },
          "taxNo",
          { key: "amount", strong: true },
          { key: "net", hidden: true },
          "tax",
          { key: "state", width: 96 },
          { key: "direction", hidden: tab !== "all" },
          "applicant",
          { key: "issuedAt", hidden: unmade },
          { key: "reason", hidden: !unmade },
          { key: "villageName", hidden: true },
          { key: "enterpriseName", hidden: true },
          { key: "partyName", hidden: true },
          { key: "redAmount", hidden: true },
          { key: "titleType", hidden: true },
          { key: "driver", hidden: true },
          { key: "createdAt", hidden: true },
        ]}
        sumNote="红票抵减蓝票，驳回和取消的不计入"
        card={{
          title: "title",
          right: "state",
          lines: [["applyNo", "amount"], ["kind", "invoiceNo"], ["createdAt"]],
        }}
        rowActions={acts.of}
        batch={tab === "applied" ? acts.batch : []}
        pickedNote={(rows) => `合计 ${yuan(rows.reduce((sum, i) => sum + i.amount, 0))}`}
        drawer={(id) => <InvoiceDrawer id={id} acts={acts} />}
        exportCall={exportInvoices}
        emptyText="在“可开票费用”或账单上申请开票后，发票在这里审核、开具和红冲"
      />
      {acts.layer}
    </>
  );
}
