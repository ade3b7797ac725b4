import { send } from "../../../platform/console/calls/request.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { CodeDialog } from "../pay-order/code.panel.tsx";
import { showBillCode } from "./checkout.contract.ts";
import type { Share } from "./checkout.rules.ts";

export type Coded = {
  partyName: string;
  villageId: number;
  billIds: number[];
  /** Parts of the bills, as they were chosen at the counter. */
  shares?: Share[];
  amount: Fen;
  what: string;
};
type Props = { of: Coded; onCounter?: () => void; onClose: () => void };

/** 收款码 of bills of one customer. */
const BillCode = ({ of, onCounter, onClose }: Props) => (
  <CodeDialog
    title={`收款码 ${of.partyName}`}
    villageId={of.villageId}
    purpose="rent"
    amount={of.amount}
    what={of.what}
    show={(channel, idempotencyKey) =>
      send(
        showBillCode,
        {
          body: {
            billIds: of.billIds,
            ...(of.shares && { shares: of.shares }),
            ...(channel && { channel }),
          },
        },
        { idempotencyKey },
      )
    }
    said={(kept) =>
      kept
        ? { toast: "已收款，部分款项转为预存款", text: "账单已变化，多出的款项转为客户预存款" }
        : { toast: "已收款，账单已付", text: "账单已付款" }
    }
    onCounter={onCounter}
    onClose={onClose}
  />
);
export default BillCode;
