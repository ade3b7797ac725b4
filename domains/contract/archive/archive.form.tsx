import { addDays } from "../../../platform/kernel/day.ts";
import { PaperInput } from "../../../platform/console/files/papers-input.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { today } from "../../../platform/console/session/operator.ts";
import { ACTIVE_PEOPLE } from "../../access/operator/operator.contract.ts";
import { uploadFile } from "../../system/file/file.contract.ts";
import {
  addArchive,
  extendLoan,
  lendArchive,
  type listArchives,
  moveArchive,
  returnArchive,
  SIGNED_CONTRACTS,
  storeArchives,
} from "./archive.contract.ts";
import { DOC_KINDS, LONGEST_EXTENSION, LONGEST_LOAN, USUAL_YEARS } from "./archive.rules.ts";

export type ArchiveRow = Row<typeof listArchives>;
type Props = { of: ArchiveRow; onClose: () => void };

const SCAN = {
  key: "fileId" as const,
  wide: true,
  input: (p: InputProps<number>) => (
    <PaperInput {...p} call={uploadFile} purpose="paper30M" hint="pdf、jpg、png，不超过 30M" />
  ),
};

const PLACE = [
  { key: "warehouse", placeholder: "如 A" },
  { key: "cabinet", placeholder: "如 03" },
  { key: "shelf", placeholder: "如 2" },
  { key: "box" },
] as const;

/** An original that no signing brought. */
export function AddForm({ contractId, onClose }: { contractId?: number; onClose: () => void }) {
  const [, set] = useAddress();
  return (
    <FormDialog
      call={addArchive}
      title="新增归档"
      ok="归档"
      done="已归档"
      cols={2}
      width={640}
      initial={{
        ...(contractId && { contractId }),
        ...{ medium: "paper", copies: 1, keepYears: USUAL_YEARS },
      }}
      onDone={({ id }) => set({ id, contractId: undefined })}
      onClose={onClose}
      fields={[
        {
          key: "contractId",
          wide: true,
          input: (p) => <RecordSelect {...p} source={SIGNED_CONTRACTS} placeholder="合同号、客户、房间" />,
        },
        "docKind",
        "medium",
        "copies",
        "keepYears",
        ...PLACE.map((field) => ({
          ...field,
          must: field.key === "warehouse",
          when: (v: { medium?: string }) => v.medium !== "electronic",
        })),
        SCAN,
      ]}
    />
  );
}

/** Originals that wait for their shelf; one of them may bring its scan. */
export const StoreForm = ({ of, onClose }: { of: readonly ArchiveRow[]; onClose: () => void }) => (
  <FormDialog
    call={storeArchives}
    title={of.length === 1 ? `归档 ${of[0]!.archiveNo}` : `归档 ${of.length} 件`}
    ok="归档"
    cols={2}
    width={560}
    initial={{ ids: of.map((a) => a.id), copies: of[0]!.copies, keepYears: USUAL_YEARS }}
    onDone={({ done }) => toast(done > 1 ? `已归档 ${done} 件` : "已归档")}
    onClose={onClose}
    fields={[
      ...(of.length === 1
        ? [
            {
              show: () => (
                <p className="notice s-blue">
                  {DOC_KINDS[of[0]!.docKind][0]} {of[0]!.contractNo} {of[0]!.partyName}
                </p>
              ),
            },
          ]
        : []),
      ...PLACE,
      "copies",
      "keepYears",
      ...(of.length === 1 && !of[0]!.hasFile ? [SCAN] : []),
    ]}
  />
);

export const MoveForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={moveArchive}
    title={`改库位 ${of.archiveNo}`}
    ok="保存"
    done="已改库位"
    cols={2}
    width={560}
    params={{ id: of.id }}
    initial={of}
    onClose={onClose}
    fields={PLACE}
  />
);

export const LendForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={lendArchive}
    title={`借出 ${of.archiveNo}`}
    ok="借出"
    params={{ id: of.id }}
    initial={{ version: of.version, lentOn: today(), dueOn: addDays(today(), 7) }}
    onDone={({ waiting }) => toast(waiting ? `已提交审批 ${waiting}` : "已借出")}
    onClose={onClose}
    fields={[
      {
        key: "borrowerId",
        input: (p) => <RecordSelect {...p} source={ACTIVE_PEOPLE} placeholder="姓名、手机" />,
      },
      "purpose",
      "lentOn",
      { key: "dueOn", help: `借期最长${LONGEST_LOAN}天` },
    ]}
  />
);

export const ReturnForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={returnArchive}
    title={`归还 ${of.archiveNo}`}
    ok="归还"
    done="已归还"
    params={{ id: of.id }}
    initial={{ version: of.version, returnedOn: today(), condition: "good", note: "" }}
    onClose={onClose}
    fields={[
      "returnedOn",
      "condition",
      {
        key: "note",
        must: true,
        when: (v: { condition?: string }) => v.condition !== "good",
        placeholder: "哪里破损",
      },
    ]}
  />
);

export const ExtendForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={extendLoan}
    title={`续借 ${of.archiveNo}`}
    ok="续借"
    done="已续借"
    params={{ id: of.id }}
    initial={{ version: of.version, dueOn: addDays(of.dueOn ?? today(), LONGEST_EXTENSION) }}
    onClose={onClose}
    fields={["dueOn"]}
  />
);
