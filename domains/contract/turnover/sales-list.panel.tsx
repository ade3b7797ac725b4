import { useState } from "react";
import { VillageImport } from "../../../platform/console/files/village-import.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { FROZEN } from "../../approval/examine/engine.rules.ts";
import { BILLS } from "../../finance/bill/bill.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { undeclaredSales } from "./link.contract.ts";
import { SalesPicture } from "./matrix.panel.tsx";
import { ConfirmForm, useDeclare } from "./confirm.form.tsx";
import { StatementState } from "./months.panel.tsx";
import { Undeclared } from "./undeclared.panel.tsx";
import {
  confirmSales,
  correctSales,
  editSales,
  exportSales,
  listSales,
  salesImport,
  submitSales,
  turnoverMonths,
} from "./statement.contract.ts";
import { STATEMENT_MOVES } from "./statement.rules.ts";
import { doing } from "../../../platform/console/parts/actions.tsx";

type Sales = Row<typeof listSales>;

/** Where a statement stands: with the other months of its contract. */
const statementAt = (s: Sales) =>
  pathTo(KINDS.merchant.path, { id: s.contractId, part: "turnover", statement: s.id });

/** 营业额申报: what all shops declared, to be confirmed one after the other. */
export function SalesList() {
  const [importing, setImporting] = useState(false);
  const [reminding, setReminding] = useState(false);
  const [confirming, setConfirming] = useState<Sales>();
  const { declare, form } = useDeclare();
  const why = (move: "edit" | "submit" | "confirm" | "correct", s: Sales) =>
    s.frozen ? FROZEN : STATEMENT_MOVES.refusal(move, { status: s.state });
  return (
    <>
      <ListPage
        call={listSales}
        unit="份"
        filters={["villageIds", "partyId", "monthFrom", "state", "source", "keyword"]}
        columns={[
          {
            key: "month",
            to: statementAt,
          },
          { key: "contractNo", to: (s) => pathTo(KINDS.merchant.path, { id: s.contractId }) },
          "partyName",
          "roomNames",
          { key: "state", show: (s) => <StatementState of={s} /> },
          "gross",
          { key: "refunds", hidden: true },
          { key: "excluded", hidden: true },
          { key: "net", strong: true },
          "growth",
          "baseRent",
          "turnoverRent",
          "topUp",
          { key: "billNo", to: (s) => (s.billId ? reach(BILLS, { id: s.billId }) : undefined) },
          { key: "villageName", hidden: true },
          { key: "source", hidden: true },
          {
            key: "files",
            hidden: true,
            to: statementAt,
          },
          { key: "confirmedBy", hidden: true },
          { key: "note", hidden: true },
        ]}
        card={{
          title: "partyName",
          right: "state",
          lines: [["month", "net"], ["roomNames", "topUp"], ["contractNo"]],
        }}
        rowActions={(s) => [
          may(turnoverMonths.needs) && {
            label: "编辑",
            does: editSales,
            why: why("edit", s),
            run: () => declare(s.contractId, (m) => m.id === s.id),
          },
          {
            label: "提交",
            why: why("submit", s),
            ...doing(submitSales, { params: { id: s.id }, body: { version: s.version } }, "已提交"),
          },
          { label: "确认", need: confirmSales.needs, why: why("confirm", s), run: () => setConfirming(s) },
          {
            label: "退回更正",
            why: why("correct", s),
            does: correctSales,
            run: (act) =>
              act(
                correctSales,
                { params: { id: s.id }, body: { version: s.version } },
                { done: "已退回更正", reason: { title: `退回更正 ${s.month} ${s.partyName}` } },
              ),
          },
        ]}
        toolbar={[
          { label: "催报", does: undeclaredSales, run: () => setReminding(true) },
          {
            label: "导入营业额",
            icon: "upload",
            need: salesImport.check.needs,
            run: () => setImporting(true),
          },
        ]}
        picture={(query, filter) => <SalesPicture query={query} filter={filter} />}
        exportCall={exportSales}
        emptyText="商户每月申报的营业额，确认后按扣点计算提成和补差；在合同或商户的营业额里申报，或发送链接由商户自己申报"
      />
      {importing && (
        <VillageImport
          title="导入营业额"
          village="门店"
          calls={salesImport}
          onClose={() => setImporting(false)}
        />
      )}
      {reminding && <Undeclared onClose={() => setReminding(false)} />}
      {form}
      {confirming && <ConfirmForm month={confirming} onClose={() => setConfirming(undefined)} />}
    </>
  );
}
