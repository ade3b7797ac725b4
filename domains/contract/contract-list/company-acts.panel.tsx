import { openFile } from "../../../platform/console/files/upload.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import type { listContracts } from "../contract/contract.contract.ts";
import { companyStatementPaper, exportCompanyStatement } from "../contract/detail.contract.ts";
import { occupantImport } from "../occupant/import.contract.ts";
import { exportOccupants } from "../occupant/roster.contract.ts";
import { isInForce } from "../contract/contract.rules.ts";

const STATEMENT = [
  ...["roomName", "subject", "periodStart", "periodEnd"],
  ...["billNo", "dueDate", "amount", "settled", "outstanding"],
];
const OCCUPANTS = [
  ...["roomName", "name", "state", "phone", "certNo", "gender", "relation"],
  ...["fromDate", "toDate", "lockAccess", "leaveReason"],
];

type Signed = Pick<Row<typeof listContracts>, "id" | "kind" | "contractNo" | "signedOn" | "state">;

/** What comes to and leaves of a company's contract as a sheet. */
export const companyActs = (
  { id, kind, contractNo, signedOn, state }: Signed,
  importOccupants: () => void,
): Action[] =>
  kind === "company" && signedOn
    ? [
        {
          label: "本期账单明细",
          does: exportCompanyStatement,
          run: () => exportList(exportCompanyStatement, { params: { id }, query: {} }, STATEMENT),
        },
        {
          label: "打印账单明细",
          does: companyStatementPaper,
          run: () => openFile(`/contract/api/v3/contract/${id}/statement/paper`),
        },
        {
          label: "导入入住人",
          need: occupantImport.check.needs,
          why: isInForce(state) ? undefined : "合同不在租期内",
          run: importOccupants,
        },
        {
          label: "导出入住人",
          does: exportOccupants,
          run: () => exportList(exportOccupants, { query: { keyword: contractNo } }, OCCUPANTS),
        },
      ]
    : [];
