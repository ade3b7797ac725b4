import { yuan } from "../../../platform/kernel/fen.ts";
import { FormDialog, type Body } from "../../../platform/console/form/form-drawer.tsx";
import { AccountSelect } from "../account/account.form.tsx";
import { PaidAtInput, PapersInput } from "../flow/payment.form.tsx";
import { confirmRefund, rerouteRefund } from "./acts.contract.ts";
import type { RefundRow } from "./refund.contract.ts";

type Props = { of: RefundRow; onClose: () => void };
const left = (r: RefundRow) => r.amount - r.paid;

/** 确认已付: the money has left the account; the slip goes along. */
export const ConfirmForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={confirmRefund}
    title={`确认已付 ${of.refundNo}`}
    ok={`确认已付 ${yuan(left(of))}`}
    done="已确认退款"
    params={{ id: of.id }}
    initial={{ version: of.version }}
    width={560}
    onClose={onClose}
    note={() =>
      `付给 ${of.payeeName}${of.route === "bank" ? ` ${of.payeeBank} ${of.payeeTail}` : "（现金）"}`
    }
    fields={[
      {
        key: "merchantAccountId",
        input: (p) => (
          <AccountSelect
            {...p}
            villageId={of.villageId}
            channel={of.route === "cash" ? "cash" : "bankTransfer"}
            direction="out"
          />
        ),
      },
      { key: "paidAt", input: (p) => <PaidAtInput {...p} /> },
      { key: "channelTradeNo", when: () => of.route === "bank" },
      { key: "fileIds", must: of.route === "bank", input: (p) => <PapersInput {...p} /> },
      "remark",
    ]}
  />
);

const byHand = (now: Partial<Body<typeof rerouteRefund>>) => now.route !== "channel";
const byBank = (now: Partial<Body<typeof rerouteRefund>>) => now.route === "bank";

/** 更换方式: another way, or the account that was missing. */
export const RerouteForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={rerouteRefund}
    title={`更换退款方式 ${of.refundNo}`}
    ok="更换"
    done="已更换退款方式"
    params={{ id: of.id }}
    initial={{
      version: of.version,
      route: of.route === "channel" ? "bank" : of.route,
      payeeName: of.payeeName,
      payeeBank: of.payeeBank,
      payeeAccount: "",
    }}
    width={560}
    onClose={onClose}
    note={() => `未付 ${yuan(left(of))} 元`}
    fields={[
      "route",
      { key: "payeeName", when: byHand },
      { key: "payeeBank", must: true, when: byBank },
      {
        key: "payeeAccount",
        must: true,
        when: byBank,
        placeholder: of.payeeTail && `原账号 ${of.payeeTail}`,
      },
      { key: "relation", placeholder: "收款人不是客户本人时填写", when: byHand },
      { key: "fileIds", title: "证明", when: byHand, input: (p) => <PapersInput {...p} /> },
    ]}
  />
);
