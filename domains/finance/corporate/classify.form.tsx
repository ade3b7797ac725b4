import { FormDialog, type Body } from "../../../platform/console/form/form-drawer.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { CHANNEL_ACCOUNTS } from "../account/account.contract.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { BANK_ACCOUNTS, classifyBankLine, type LineRow, returnableOf } from "./corporate.contract.ts";

type Typed = Partial<Body<typeof classifyBankLine>>;
const is =
  (...kinds: Typed["kind"][]) =>
  ({ kind }: Typed) =>
    kinds.includes(kind);

type Props = {
  line: Pick<LineRow, "id" | "counterName" | "free" | "version" | "settling">;
  onClose: () => void;
};

/** 标记无需认领: what a part of a line is, where it is no customer's. */
export const ClassifyForm = ({ line, onClose }: Props) => (
  <FormDialog
    call={classifyBankLine}
    title="标记无需认领"
    ok="标记"
    done="已标记"
    params={{ id: line.id }}
    initial={{
      version: line.version,
      amount: line.free,
      ...(line.settling && {
        kind: "channelSettle",
        merchantAccountId: line.settling.accountId,
        note: "渠道结算",
      }),
    }}
    width={560}
    onClose={onClose}
    note={({ amount }) =>
      `${line.counterName || "该流水"} 未认领 ${yuan(line.free)} 元${amount && amount < line.free ? `，标记后剩余 ${yuan(line.free - amount)} 元` : ""}`
    }
    fields={[
      { key: "kind", help: "缴款到账在缴款管理确认，第三方结算在第三方收入表登记" },
      "amount",
      {
        key: "merchantAccountId",
        title: "渠道账户",
        must: true,
        when: is("channelSettle"),
        input: (p) => <RecordSelect {...p} source={CHANNEL_ACCOUNTS} placeholder="结算的渠道账户" />,
      },
      {
        key: "merchantAccountId",
        title: "转出账户",
        must: true,
        when: is("internal"),
        input: (p) => <RecordSelect {...p} source={BANK_ACCOUNTS} placeholder="转出的银行账户" />,
      },
      { key: "from", when: is("channelSettle") },
      { key: "to", when: is("channelSettle") },
      {
        key: "refundId",
        must: true,
        when: is("refundReturn"),
        input: (p) => <RecordSelect {...p} source={returnableOf(line.free)} placeholder="退款单号、收款人" />,
      },
      {
        key: "villageId",
        must: true,
        help: "退款由该门店审批和支付",
        when: is("wrongTransfer"),
        input: (p) => <VillageSelect {...p} />,
      },
      { key: "payeeBank", when: is("wrongTransfer") },
      { key: "payeeAccount", placeholder: "不填则退回原付款账号", when: is("wrongTransfer") },
      "note",
    ]}
  />
);
