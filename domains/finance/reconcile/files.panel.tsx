import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { importStatement, listStatements, undoStatement } from "../statement/statement.contract.ts";
import { ImportDialog, STATEMENTS } from "./import.panel.tsx";
import { CHECK } from "./reconcile.rules.ts";
import { Runs, toldOfUndo } from "./runs.panel.tsx";

/** The statements that were taken, and their way back. */
export function Files() {
  const [importing, setImporting] = useState(false);
  return (
    <>
      <Runs mode="reconcile" />
      <ListPage
        call={listStatements}
        unit="个批次"
        filters={["merchantAccountId", "keyword"]}
        columns={[
          {
            key: "statementNo",
            to: (r) => pathTo(CHECK, { list: "items", dayFrom: r.dateFrom, dayTo: r.dateTo }),
          },
          "accountName",
          "format",
          "dateFrom",
          "dateTo",
          "lineCount",
          "newCount",
          "sumIn",
          "sumOut",
          "sumFee",
          { key: "fileName", hidden: true },
          { key: "encoding", hidden: true },
          { key: "templateName", hidden: true },
          { key: "note", hidden: true },
          "creator",
          "createdAt",
          { key: "undoneAt", hidden: true },
        ]}
        card={{
          title: "accountName",
          right: "format",
          lines: [
            ["dateFrom", "sumIn"],
            ["statementNo", "lineCount"],
          ],
        }}
        toolbar={[
          {
            label: "导入对账单",
            icon: "plus",
            main: true,
            does: importStatement,
            run: () => setImporting(true),
          },
        ]}
        rowActions={(r) => [
          {
            label: "撤销导入",
            danger: true,
            does: undoStatement,
            why: r.undoneAt
              ? "该批次已撤销"
              : r.mode === "claim"
                ? "该批次由对公流水认领导入，请到对公流水认领撤销"
                : undefined,
            run: async (act) =>
              toldOfUndo(
                await act(
                  undoStatement,
                  { params: { id: r.id }, query: { version: r.version } },
                  {
                    ask: {
                      title: `撤销导入 ${r.statementNo}`,
                      body: `${r.lineCount} 行流水和它们的对账结果将被移除。`,
                    },
                  },
                ),
              ),
          },
        ]}
        emptyText="还没有导入过对账单"
      />
      {importing && <ImportDialog of={STATEMENTS} onClose={() => setImporting(false)} />}
    </>
  );
}
