import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import { FormDrawer, type Body } from "../../../platform/console/form/form-drawer.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { AccountSelect } from "../account/account.form.tsx";
import { addFlow } from "./flow.contract.ts";
import { payables } from "./cost.contract.ts";
import { NUMBERED, type CounterChannel } from "../account/channel.rules.ts";
import { BookedOn, ChannelInput, PapersInput } from "./payment.form.tsx";
import { PayerSelect } from "../payer/payer.panel.tsx";

type Payable = { id: number; billNo: string; payeeName: string; title: string; outstanding: number };
export const payableSource = (villageId: number | undefined): Source => ({
  call: payables,
  query: { villageIds: villageId },
  option: ((b: Payable) => ({
    value: b.id,
    label: `${b.payeeName} ${b.title}`,
    note: `未付 ${yuan(b.outstanding)}　${b.billNo}`,
  })) as Source["option"],
});

type Typed = Partial<Body<typeof addFlow>>;
const isOut = (typed: Typed) => typed.direction === "out";
const isIn = (typed: Typed) => !isOut(typed);

/** 补录: money that moved and that nobody recorded, with its papers. Somebody else confirms it. */
export const PatchForm = ({ onClose }: { onClose: () => void }) => (
  <FormDrawer
    call={addFlow}
    title="补录流水"
    ok="提交"
    done="已提交，等待他人确认"
    width={640}
    label={104}
    initial={{ direction: "in" }}
    onClose={onClose}
    note={() => "补录的流水须由另一人确认到账"}
    fields={[
      { section: "对象" },
      { key: "villageId", input: (p) => <VillageSelect {...p} /> },
      "direction",
      {
        key: "partyId",
        must: true,
        when: isIn,
        input: (p, v) => <PayerSelect {...p} villageId={v.villageId} />,
      },
      {
        key: "billId",
        must: true,
        when: isOut,
        help: "付款须对应一笔已登记的应付账单，没有时先在“记一笔 · 支出”登记",
        input: (p, v) => (
          <RecordSelect {...p} source={payableSource(v.villageId)} placeholder="收款人、账单号" />
        ),
      },
      { section: "款项" },
      "amount",
      {
        key: "channel",
        input: (p) => <ChannelInput {...p} value={p.value as CounterChannel | undefined} />,
      },
      {
        key: "merchantAccountId",
        input: (p, v) => (
          <AccountSelect {...p} villageId={v.villageId} channel={v.channel} direction={v.direction} />
        ),
      },
      {
        key: "paidAt",
        help: (v) => <BookedOn villageId={v.villageId} paidAt={v.paidAt} direction={v.direction} />,
      },
      {
        key: "channelTradeNo",
        help: (v) => (v.channel && NUMBERED.includes(v.channel) ? "渠道账单上的流水号，必填" : undefined),
      },
      { key: "payerName", when: isIn },
      { key: "fileIds", input: (p) => <PapersInput {...p} /> },
      "remark",
    ]}
  />
);
