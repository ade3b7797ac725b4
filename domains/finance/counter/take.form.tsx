import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { lazily } from "../../../platform/console/screens/load.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Switch } from "antd";
import { useEffect, useMemo, useState } from "react";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { type FormState, errorsOf } from "../../../platform/console/form/form-state.ts";
import { FormFields } from "../../../platform/console/form/form.tsx";
import { MoneyInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { today } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type Day, dayInZone } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { AccountSelect } from "../account/account.form.tsx";
import { keyOf, type Want } from "../allocation/allocation.rules.ts";
import type { Coded } from "../checkout/code.panel.tsx";
import { Allotment, effectsOf } from "../flow-list/allotment.panel.tsx";
import { type Choice, type Owed, comesTo, wantsOf } from "../flow-list/owed.rules.ts";
import { channelInput, PaidAtInput, PapersInput } from "../flow-list/payment.form.tsx";
import {
  type CounterInput,
  type ReceiptPreview,
  counterInput,
  previewFlow,
  receiveFlow,
} from "../flow/receive.contract.ts";

// the drawing of codes is only needed where one is shown
const BillCode = lazily(() => import("../checkout/code.panel.tsx"));

type Props = {
  standing: Standing;
  form: FormState<CounterInput>;
  receipt: Receipt;
  usePrepaid: boolean;
  onUsePrepaid: (use: boolean) => void;
  onTaken: (taken: Taken) => void;
};
export type Taken = Reply<typeof receiveFlow>;

/** The money of a receipt: how much, how it came, what it will do. */
export function TakeForm({ standing, form, receipt, usePrepaid, onUsePrepaid, onTaken }: Props) {
  const { preview, amount, paidOn } = receipt;
  const onlyPrepaid = usePrepaid && amount === 0;
  const [coded, setCoded] = useState<Coded>();

  const take = async (body: Partial<CounterInput>) => {
    onTaken(await receipt.take(body));
  };
  const run = async () => {
    const rest = preview?.toPrepaid ?? 0;
    const go = async () => {
      if (onlyPrepaid) await take({});
      else await form.submit((body) => take(body));
    };
    const ready = onlyPrepaid || !Object.keys(errorsOf(counterInput, form.values)).length;
    if (rest > 0 && ready)
      await confirm({
        title: "转入预存款",
        body: (
          <>
            收款金额大于应收，请确认转入预存款
            <b className="asked__fen">{yuan(rest)} 元</b>
          </>
        ),
        ok: "确认转入",
        run: go,
      });
    else await go();
  };
  const effects = preview ? effectsOf(preview, paidOn) : [];
  const wrong = receipt.error && !Object.keys(form.errors).length ? sentence(receipt.error) : undefined;
  return (
    <aside className="card till stack">
      <div className="till__body">
        {standing.prepaid > 0 && (
          <div className="till__prepaid row gap-0 between fs-13 sub">
            <span>
              预存款 <Money fen={standing.prepaid} strong />
            </span>
            <label className="row">
              使用预存款
              <Switch size="small" checked={usePrepaid} onChange={onUsePrepaid} />
            </label>
          </div>
        )}
        {standing.unconfirmed > 0 && (
          <p className="notice s-gold" role="alert">
            已登记 <Money fen={standing.unconfirmed} strong /> 待确认到账，请勿重复收款
          </p>
        )}
        <FormFields
          form={form}
          label={84}
          fields={[
            {
              key: "amount",
              input: (p) => (
                <span className="till__amount">
                  <MoneyInput {...p} value={p.value ?? receipt.auto} />
                </span>
              ),
            },
            ...(onlyPrepaid ? [] : moneyFields(standing)),
          ]}
        />
      </div>
      <section className="till__plan grid gap-2 fs-13 scroll" aria-label="分配试算">
        <header className="row fs-12">
          <b>分配试算</b>
          <span className="grow" />
          {receipt.working ? (
            <span className="dim">试算中</span>
          ) : (
            preview && (
              <span className="good row">
                <Icon name="check" size={12} />
                按入账规则排序
              </span>
            )
          )}
        </header>
        {preview ? (
          <Allotment preview={preview} stale={receipt.working} />
        ) : (
          <p className="dim">选择费用或填写金额后，这里显示分配明细</p>
        )}
      </section>
      <footer className="till__foot">
        {preview && (
          <>
            <dl className="till__after grid fs-13">
              <div>
                <dt className="fs-12 dim">未收</dt>
                <dd>
                  <Money fen={receipt.owedBefore} /> → <Money fen={receipt.owedAfter} strong />
                </dd>
              </div>
              <div>
                <dt className="fs-12 dim">预存款</dt>
                <dd>
                  <Money fen={preview.prepaidBefore} /> → <Money fen={preview.prepaidAfter} strong />
                </dd>
              </div>
            </dl>
            {effects.length > 0 && <p className="effects fs-12 dim">{effects.join("；")}</p>}
          </>
        )}
        {wrong && (
          <p className="form__note" role="alert">
            {wrong}
          </p>
        )}
        <Button look="main" size="lg" busy={form.busy} why={receipt.why} run={run}>
          {onlyPrepaid ? "用预存款支付" : "确认收款"}
          <span className="till__sum">{yuan(onlyPrepaid ? (preview?.prepaidUsed ?? 0) : amount)}</span>
        </Button>
        <Button
          icon="code"
          why={whyNotCode(receipt, usePrepaid)}
          run={() => setCoded(codedOf(standing, receipt))}
        >
          出示收款码
        </Button>
      </footer>
      {coded && (
        <Arriving onClose={() => setCoded(undefined)}>
          <BillCode of={coded} onCounter={() => setCoded(undefined)} onClose={() => setCoded(undefined)} />
        </Arriving>
      )}
    </aside>
  );
}

/** What the trial pays is what the code asks for, line by line. */
const paidBy = ({ preview }: Receipt) => (preview?.rows ?? []).filter((row) => row.pay > 0);

const whyNotCode = (receipt: Receipt, usePrepaid: boolean): string | undefined =>
  receipt.why ??
  (usePrepaid
    ? "使用预存款时请现场收款"
    : !paidBy(receipt).length
      ? "请先选择费用"
      : receipt.preview!.toPrepaid > 0
        ? "收款码只收所选费用，金额不能大于应收"
        : undefined);

function codedOf({ partyName, villageId }: Standing, receipt: Receipt): Coded {
  const rows = paidBy(receipt);
  return {
    partyName,
    villageId,
    billIds: [...new Set(rows.map((row) => row.billId))],
    shares: rows.map(({ billId, lineId, pay }) => ({ billId, lineId, amount: pay })),
    amount: receipt.preview!.paid,
    what: [...new Set(rows.map((row) => row.title))].slice(0, 3).join("、"),
  };
}

const moneyFields = ({ villageId, partyName }: Standing): Field<CounterInput>[] => [
  { key: "channel", input: channelInput },
  {
    key: "merchantAccountId",
    input: (p, v) => <AccountSelect {...p} villageId={villageId || undefined} channel={v.channel} />,
  },
  { key: "paidAt", input: (p) => <PaidAtInput {...p} /> },
  { key: "payerName", placeholder: partyName },
  "channelTradeNo",
  { key: "fileIds", title: "附件", input: (p) => <PapersInput {...p} /> },
  { key: "remark", input: (p) => <TextInput {...p} max={200} /> },
];

/** Who stands at the counter, where, and what of it is chosen. */
export type Standing = {
  /** 0 while nobody is chosen. */
  partyId: number;
  partyName: string;
  villageId: number;
  prepaid: Fen;
  /** Booked before, not confirmed yet: what it pays is still owed in `bills`. */
  unconfirmed: Fen;
  bills: readonly Owed[];
  choice: Choice;
};

/** A value once it has rested for a moment: typing does not ask the server at every key. */
function useRested<T>(value: T, ms = 250): T {
  const [rested, setRested] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(text) as T), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return rested;
}

export const paidDay = (paidAt: string | undefined): Day => (paidAt ? dayInZone(new Date(paidAt)) : today());

/** Whether less is owed of the chosen lines by now than the list says: somebody has paid, lowered or voided them meanwhile. */
const isBehind = ({ rows }: ReceiptPreview, bills: readonly Owed[], wants: readonly Want[]): boolean => {
  const owedNow = new Map(rows.map((row) => [keyOf(row), row.owed]));
  const shown = new Map(bills.flatMap((b) => b.lines).map((line) => [keyOf(line), line.owed]));
  return wants.some((want) => (owedNow.get(keyOf(want)) ?? 0) < (shown.get(keyOf(want)) ?? 0));
};

/** The receipt as it stands in the form: its trial, and how to take it exactly as it was shown. `list` asks anew for what is owed. */
export function useReceipt(
  standing: Standing,
  form: Partial<CounterInput> & { usePrepaid: boolean },
  list: { isFetching: boolean; refetch: () => unknown },
) {
  const { partyId, villageId, bills, choice, prepaid } = standing;
  const client = useQueryClient();
  const refresh = useRefresh();
  const [key, setKey] = useState(freshKey);
  const wants = useMemo(() => wantsOf(bills, choice), [bills, choice]);
  const chosen = comesTo(bills, choice);
  const auto = form.usePrepaid ? Math.max(0, chosen - prepaid) : chosen;
  const amount = form.amount ?? auto;
  const whole = Number.isSafeInteger(amount) && wants.every((w) => w.amount !== 0 && !Number.isNaN(w.amount));
  const trial = {
    villageId,
    partyId,
    amount: Number.isSafeInteger(amount) ? amount : 0,
    wants,
    usePrepaid: form.usePrepaid,
    ...(form.channel &&
      form.merchantAccountId && { channel: form.channel, merchantAccountId: form.merchantAccountId }),
    ...(form.paidAt && { paidAt: form.paidAt }),
  };
  const rested = useRested(trial);
  const asked = ask(previewFlow, { body: rested });
  const worth = partyId > 0 && whole && (rested.amount > 0 || rested.wants.length > 0);
  const query = useQuery({ ...asked, enabled: worth, placeholderData: (before) => before, retry: false });
  const preview: ReceiptPreview | undefined = worth ? query.data : undefined;
  const resting = JSON.stringify(rested) === JSON.stringify(trial);
  const working = worth && (!resting || query.isPlaceholderData || query.isFetching);
  // both are of the same day and choice; prepaid money alone may meet a smaller late fee, as of its own day
  const behind =
    preview && !working && !list.isFetching && !rested.usePrepaid && isBehind(preview, bills, rested.wants)
      ? preview.hash
      : undefined;
  const { refetch } = list;
  useEffect(() => {
    if (!behind) return;
    toast("账单试算已变化，请核对后重新确认", "warning");
    void refetch();
  }, [behind, refetch]);

  const take = async (body: Partial<CounterInput>) => {
    if (!preview) throw new Failure("notReady", "请先选择费用或填写金额", 400);
    const sent = { ...body, ...rested, previewHash: preview.hash, exact: preview.toPrepaid === 0 };
    if (!sent.payerName) sent.payerName = standing.partyName;
    try {
      const reply = await send(receiveFlow, { body: sent }, { idempotencyKey: key });
      setKey(freshKey());
      await refresh();
      return reply;
    } catch (error) {
      if (error instanceof Failure && error.code === "previewChanged")
        client.setQueryData(asked.queryKey, error.data as ReceiptPreview);
      // what is owed has changed under the form: the list shows it as it is now
      if (error instanceof Failure && ["previewChanged", "billVoid"].includes(error.code)) await refresh();
      throw error;
    }
  };

  const pays = useMemo(() => new Map((preview?.rows ?? []).map((row) => [keyOf(row), row.pay])), [preview]);
  const owedBefore = bills.reduce((sum, b) => sum + b.owed, 0);
  return {
    auto,
    amount: Number.isSafeInteger(amount) ? amount : 0,
    preview,
    pays,
    working,
    error: query.error,
    paidOn: paidDay(form.paidAt),
    owedBefore,
    owedAfter: owedBefore - (preview?.paid ?? 0),
    why: !partyId ? "请先选择客户" : !preview ? "请先选择费用或填写金额" : working ? "正在试算" : undefined,
    take,
  };
}
export type Receipt = ReturnType<typeof useReceipt>;
