import { useQuery } from "@tanstack/react-query";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { InstantInput } from "../../../platform/console/inputs/days.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { type CounterChannel, COUNTER_CHANNEL, NUMBERED } from "../account/channel.rules.ts";
import { postingDay } from "../flow/receive.contract.ts";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { AccountSelect } from "../account/account.form.tsx";
import { addFlow, payables } from "../flow/flow.contract.ts";
import { PayerSelect } from "../payer/payer.panel.tsx";
import "./flow.css";
import { PapersInput as Papers } from "../../../platform/console/files/papers-input.tsx";
import { UPLOADS } from "../../system/file/file.contract.ts";

/** The channels side by side: at a counter one click beats two. */
const ChannelInput = ({ value, onChange, onBlur, id, disabled }: InputProps<CounterChannel>) => (
  <div className="choices grid gap-3" role="radiogroup" id={id}>
    {Object.entries(COUNTER_CHANNEL).map(([code, [text]]) => (
      <button
        key={code}
        type="button"
        role="radio"
        aria-checked={code === value}
        className={code === value ? "on" : ""}
        disabled={disabled}
        onClick={() => onChange(code as CounterChannel)}
        onBlur={onBlur}
      >
        {text}
      </button>
    ))}
  </div>
);

export const channelInput = (p: InputProps<CounterChannel>) => <ChannelInput {...p} />;

/** When the money moved. Left empty it is now, by the server's clock. */
export const PaidAtInput = (props: InputProps<string>) => <InstantInput {...props} placeholder="现在" />;

/** Uploaded papers; none is nothing, so that a form that must have one says so. */
export const PapersInput = (p: InputProps<number[]>) => (
  <Papers
    {...p}
    call={UPLOADS.paper10M}
    hint="图片或PDF，最多9个"
    onChange={(ids) => p.onChange(ids?.length ? ids : undefined)}
  />
);

type Booked = {
  villageId?: number | undefined;
  paidAt?: string | undefined;
  direction?: "in" | "out" | undefined;
};
/** Says where money of a locked month is booked. */
export function BookedOn({ villageId, paidAt, direction = "in" }: Booked) {
  const day = paidAt && dayInZone(new Date(paidAt));
  const { data } = useQuery({
    ...ask(postingDay, { query: { villageId: villageId ?? 0, day: day ?? "", direction } }),
    enabled: villageId !== undefined && day !== undefined,
  });
  if (!data || data.day === day) return null;
  return <span className="warned">该月已锁账，将记入 {data.day}，业务日期保留</span>;
}

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
    onDone={({ waiting }) => toast(waiting ? `已提交审批 ${waiting}` : "已提交，等待他人确认")}
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
      { key: "channel", input: channelInput },
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
