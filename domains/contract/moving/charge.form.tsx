import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Charges } from "../settlement/charges.form.tsx";
import { CHARGES } from "../settlement/settlement.contract.ts";
import { type ChangeRow, chargeChange } from "./moving.contract.ts";

/** 结清水电: what the meters of the room before ran, and what is broken there, on one bill. */
export const ChargeForm = ({ of, onClose }: { of: ChangeRow; onClose: () => void }) => (
  <FormDrawer
    call={chargeChange}
    title={`结清水电 ${of.actNo}`}
    ok="出账"
    done="账单已生成"
    params={{ id: of.id }}
    initial={{ version: of.version, charges: [] }}
    width={1080}
    note={({ charges = [] }) =>
      `合计 ${yuan(charges.reduce((sum, charge) => sum + (charge?.amount ?? 0), 0))} 元，记在原合同 ${of.contractNo}`
    }
    fields={(_, form) => [
      {
        section: `${of.roomNames}的水电和扣款`,
        note: "先在“交接与抄表”登记退房验房单，再带入读数和损坏",
      },
      {
        show: () => <Charges form={form} kinds={CHARGES} sheetsOf={{ contractId: of.contractId }} />,
      },
    ]}
    onClose={onClose}
  />
);
