import { Switch } from "antd";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { FormFields } from "../../../platform/console/form/form.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { errorsOf, type FormState } from "../../../platform/console/form/form-state.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { MoneyInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { AccountSelect } from "../account/account.form.tsx";
import { Allotment, effectsOf } from "./allotment.panel.tsx";
import type { CounterChannel } from "./flow.rules.ts";
import { ChannelInput, PaidAtInput, PapersInput } from "./payment.form.tsx";
import { counterInput, type CounterInput, type receiveFlow } from "./receive.contract.ts";
import type { Receipt, Standing } from "./taking.form.tsx";

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
    <aside className="card till">
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
      <section className="till__plan grid gap-2 fs-13" aria-label="分配试算">
        <header className="row">
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
                <dt>未收</dt>
                <dd>
                  <Money fen={receipt.owedBefore} /> → <Money fen={receipt.owedAfter} strong />
                </dd>
              </div>
              <div>
                <dt>预存款</dt>
                <dd>
                  <Money fen={preview.prepaidBefore} /> → <Money fen={preview.prepaidAfter} strong />
                </dd>
              </div>
            </dl>
            {effects.length > 0 && <p className="till__effect fs-12 dim">{effects.join("；")}</p>}
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
      </footer>
    </aside>
  );
}

const moneyFields = ({ villageId, partyName }: Standing): Field<CounterInput>[] => [
  { key: "channel", input: (p) => <ChannelInput {...p} value={p.value as CounterChannel | undefined} /> },
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
