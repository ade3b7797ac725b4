import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { listStatements, type StatementRow, undoStatement } from "../statement/statement.contract.ts";
import { type Importing, ImportDialog, STATEMENTS } from "./import.panel.tsx";
import { CHECK } from "./reconcile.rules.ts";
import { Runs, toldOfUndo } from "./runs.panel.tsx";

/** The button of an import, and its layer. */
export function useImporting(of: Importing, label: string) {
  const [open, setOpen] = useState(false);
  const button = { label, icon: "plus" as const, main: true, does: of.take, run: () => setOpen(true) };
  return { button, layer: open && <ImportDialog of={of} onClose={() => setOpen(false)} /> };
}

type Props = {
  of: Importing;
  /** The button's word. */
  label: string;
  undo: typeof undoStatement;
  /** What goes with the lines of a file that is taken back. */
  gone: (row: StatementRow) => string;
  whyNot?: (row: StatementRow) => string | undefined;
  to?: (row: StatementRow) => string;
  emptyText: string;
};

/** The files that were taken, and their way back. */
export function StatementFiles({ of, label, undo, gone, whyNot, to, emptyText }: Props) {
  const importing = useImporting(of, label);
  const claimed = of.mode === "claim";
  return (
    <>
      <Runs mode={of.mode} />
      <ListPage
        call={listStatements}
        unit="个批次"
        fixed={claimed ? { mode: [of.mode] } : {}}
        filters={["merchantAccountId", "keyword"]}
        columns={[
          { key: "statementNo", ...(to && { to }) },
          "accountName",
          { key: "format", hidden: claimed },
          "dateFrom",
          "dateTo",
          "lineCount",
          "newCount",
          "sumIn",
          "sumOut",
          { key: "sumFee", hidden: claimed },
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
        toolbar={[importing.button]}
        rowActions={(r) => [
          {
            label: "撤销导入",
            danger: true,
            does: undo,
            why: r.undoneAt ? "该批次已撤销" : whyNot?.(r),
            run: async (act) =>
              toldOfUndo(
                await act(
                  undo,
                  { params: { id: r.id }, query: { version: r.version } },
                  { ask: { title: `撤销导入 ${r.statementNo}`, body: gone(r) } },
                ),
              ),
          },
        ]}
        emptyText={emptyText}
      />
      {importing.layer}
    </>
  );
}

/** Those of accounts that are reconciled. */
export const Files = () => (
  <StatementFiles
    of={STATEMENTS}
    label="导入对账单"
    undo={undoStatement}
    gone={(r) => `${r.lineCount} 行流水和它们的对账结果将被移除。`}
    whyNot={(r) => (r.mode === "claim" ? "该批次由对公流水认领导入，请到对公流水认领撤销" : undefined)}
    to={(r) => pathTo(CHECK, { list: "items", dayFrom: r.dateFrom, dayTo: r.dateTo })}
    emptyText="还没有导入过对账单"
  />
);
