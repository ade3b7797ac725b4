import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { billImport } from "./import.contract.ts";

/** 导入账单: the file is checked whole, then every bill in it is made or none. */
export const BillImport = ({ onClose }: { onClose: () => void }) => (
  <ImportDialog
    title="导入账单"
    calls={billImport}
    hint="按模板填写 .xlsx，最多 5,000 行、30M；有错误时不导入任何一行"
    totals={(batch) => [{ title: "金额合计", text: yuan(batch.amount) }]}
    onClose={onClose}
  />
);
