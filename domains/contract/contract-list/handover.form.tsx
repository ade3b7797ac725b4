import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { type Facts, moveInRefusal } from "../contract/contract.rules.ts";
import { ContractSheets } from "../inspection/sheets.panel.tsx";
import { handOver } from "../signing/signing.contract.ts";

type Row = { id: number; partyName: string; roomNames: string; version: number; facts: Facts };

/** The keys change hands; who sets aside what must be paid before says why. */
export function HandoverDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const owed = moveInRefusal(row.facts);
  return (
    <FormDialog
      call={handOver}
      title={`办理入住 ${row.roomNames}`}
      ok="办理入住"
      done="已办理入住"
      params={{ id: row.id }}
      initial={{ handoverOn: row.facts.today, version: row.version }}
      onClose={onClose}
      width={760}
      fields={[
        "handoverOn",
        {
          show: () => <ContractSheets contractId={row.id} partyName={row.partyName} writes={["in"]} />,
        },
        ...(owed
          ? [{ show: () => <p className="asked">{owed}；继续办理请填写原因。</p> }, "overrideReason" as const]
          : []),
      ]}
    />
  );
}
