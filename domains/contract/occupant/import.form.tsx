import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import { occupantImport } from "./import.contract.ts";

type Props = { contract: { id: number; contractNo: string }; onClose: () => void };

/** 导入入住人: a file of people for the rooms of one contract. */
export const OccupantImport = ({ contract: { id, contractNo }, onClose }: Props) => (
  <ImportDialog
    title={`导入入住人 ${contractNo}`}
    calls={occupantImport}
    fields={{ contractId: String(id) }}
    hint="每人一行，最多 2,000 行、10M；有错误时不导入任何一行"
    onClose={onClose}
  />
);
