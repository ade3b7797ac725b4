import { yuan } from "../../../platform/kernel/fen.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { clawCommission, type CommissionRow } from "./commission.contract.ts";

/** 扣回: a counter line beside the commission. */
export const ClawForm = ({ of, onClose }: { of: CommissionRow; onClose: () => void }) => (
  <FormDialog
    call={clawCommission}
    title={`扣回佣金 ${of.number}`}
    ok="扣回"
    done="已扣回"
    params={{ id: of.id }}
    initial={{ amount: of.left, version: of.version }}
    onClose={onClose}
    note={() => (of.state === "paid" ? "已支付的部分在下次结算时扣减" : `未扣回 ${yuan(of.left)} 元`)}
    fields={["amount", "reason"]}
  />
);
