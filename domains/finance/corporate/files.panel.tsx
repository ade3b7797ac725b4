import { StatementFiles, useImporting } from "../reconcile/files.panel.tsx";
import type { Importing } from "../reconcile/import.panel.tsx";
import { CLAIMED_ACCOUNTS, importBankLines, previewBankLines, undoBankLines } from "./corporate.contract.ts";
import { saidOfImport } from "./line.rules.ts";

const LINES: Importing = {
  title: "导入对公流水",
  mode: "claim",
  accounts: CLAIMED_ACCOUNTS,
  preview: previewBankLines,
  take: importBankLines,
  hint: "点击或拖入银行流水（csv、xlsx、zip、gz），最多 20 个；收入逐笔入账待认领，支出与系统付款核对",
  done: saidOfImport,
};
const LABEL = "导入流水";

/** 导入流水: a button of both lists, and its layer. */
export const useLineImport = () => useImporting(LINES, LABEL);

/** The files of company accounts that were taken, and their way back. */
export const Files = () => (
  <StatementFiles
    of={LINES}
    label={LABEL}
    undo={undoBankLines}
    gone={(r) => `${r.newCount} 行流水和它们的入账凭证将被冲回。`}
    emptyText="还没有导入过对公流水"
  />
);
