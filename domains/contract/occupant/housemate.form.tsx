import { type ReactNode, useState } from "react";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { today } from "../../../platform/console/session/operator.ts";
import { isInForce, type State } from "../contract/contract.rules.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { forbiddenReason } from "./add.form.tsx";
import { addHousemate, leaveHousemate } from "./occupant.contract.ts";

type Person = { id: number; name: string };
/** Ends the stay of somebody; nothing where nobody may. */
export type Leaves = ((of: Person) => void) | undefined;
type Props = { contractId: number; onClose: () => void };

/** 登记同住人: somebody who comes to live with the tenant. */
const AddHousemate = ({ contractId, onClose }: Props) => (
  <FormDialog
    call={addHousemate}
    title="登记同住人"
    ok="登记"
    done="已登记同住人"
    params={{ id: contractId }}
    initial={{ day: today(), certType: "idCard", lockAccess: true }}
    fields={(_, form) => [
      ...(["name", "phone", "certType", "certNo", "gender", "relation", "day", "lockAccess"] as const),
      ...forbiddenReason(form),
    ]}
    onClose={onClose}
  />
);

/** 搬离: the last day on which somebody lives there. */
const LeaveHousemate = ({ contractId, of, onClose }: Props & { of: Person }) => (
  <FormDialog
    call={leaveHousemate}
    title={`${of.name} 搬离`}
    ok="确认搬离"
    done="已登记搬离"
    params={{ id: contractId }}
    initial={{ occupantId: of.id, lastDay: today() }}
    fields={["lastDay", "reason"]}
    onClose={onClose}
  />
);

type HouseholdProps = {
  contract: { id: number; kind: ContractKind; state: State };
  children: (leave: Leaves) => ReactNode;
};

/** Who lives with a tenant, as `children` shows them: they come and go while the lease runs. */
export function Household({ contract: { id, kind, state }, children }: HouseholdProps) {
  const [open, setOpen] = useState<"add" | Person>();
  const edits = kind === "renter" && isInForce(state) && may(addHousemate.needs);
  const close = () => setOpen(undefined);
  return (
    <div className="stack gap-6">
      {children(edits ? setOpen : undefined)}
      {edits && (
        <div className="row">
          <Button run={() => setOpen("add")}>登记同住人</Button>
        </div>
      )}
      {open === "add" && <AddHousemate contractId={id} onClose={close} />}
      {open && open !== "add" && <LeaveHousemate contractId={id} of={open} onClose={close} />}
    </div>
  );
}
