import type { z } from "zod";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import { Wrong } from "../../../platform/console/form/form-foot.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type readContractConfig, writeContractConfig } from "../config/config.contract.ts";
import type { TermsDraft } from "../drafting/draft.form.tsx";
import { DueFields, PayPlans } from "../drafting/pay-plan.form.tsx";
import {
  BasisField,
  DepositField,
  LateFields,
  LeaveFields,
  PeriodsField,
  PricingField,
  RoundingField,
} from "../drafting/term-fields.form.tsx";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { type Terms, termsShape } from "../terms/terms.contract.ts";
import "../drafting/drafting.css";

/** The terms that a new contract starts from, with the inputs of the contract form. */
export const DefaultTerms = ({ draft }: { draft: TermsDraft }) => (
  <>
    <h3 className="form__section">
      默认付款与计费期<small>新建合同时自动带入，签约时可以修改</small>
    </h3>
    <PayPlans draft={draft} />
    <PricingField draft={draft} />
    <DepositField draft={draft} />
    <BasisField draft={draft} />
    <RoundingField draft={draft} />
    <PeriodsField draft={draft} />
    <h3 className="form__section">默认应收日与滞纳金</h3>
    <DueFields draft={draft} />
    <LateFields draft={draft} />
    <h3 className="form__section">默认违约与退房</h3>
    <LeaveFields draft={draft} />
    <OneField form={draft} path="policyNote" more={{ wide: true }} />
  </>
);

export type Config = Reply<typeof readContractConfig>;

const form = writeContractConfig.body.extend({ defaultTerms: termsShape });
type Editing = z.input<typeof form>;

/** The terms of the set as the inputs of the contract form take them. */
function termsDraft(state: FormState<Editing>): TermsDraft {
  const terms = state.values.defaultTerms as Terms;
  const at = (path: string) => `defaultTerms.${path}`;
  const mine = Object.entries(state.errors).filter(([path]) => path.startsWith(at("")));
  return {
    ...state,
    form: terms,
    values: terms,
    schema: termsShape,
    errors: Object.fromEntries(mine.map(([path, msg]) => [path.slice(at("").length), msg])),
    set: (path, value) => state.set(at(path), value),
    blur: (path) => state.blur(at(path)),
    submit: async () => false,
    patch: (change) => {
      for (const [path, value] of Object.entries(change)) state.set(at(path), value);
    },
  };
}

/** Only what was set already or differs from the product's: the rest goes on following it. */
const kept = (before: Partial<Terms>, terms: Terms): Partial<Terms> =>
  Object.fromEntries(
    Object.entries(terms).filter(
      ([key, value]) =>
        key in before || JSON.stringify(value) !== JSON.stringify(DEFAULT_TERMS[key as keyof Terms]),
    ),
  );

/** A set under the pen: its limits, and the terms that a new contract starts from. */
export function ConfigForm({ config, onClose }: { config: Config; onClose: () => void }) {
  const refresh = useRefresh();
  const before = config.defaultTerms as Partial<Terms>;
  const state = useForm<Editing>(form, { ...config, defaultTerms: { ...DEFAULT_TERMS, ...before } });
  const { villageId } = config;
  const save = async () => {
    const sent = await state.submit((body) =>
      send(writeContractConfig, {
        query: villageId ? { villageId } : {},
        body: { ...body, defaultTerms: kept(before, body.defaultTerms as Terms) },
      }),
    );
    if (!sent) return;
    toast("已保存，仅影响新签合同");
    onClose();
    await refresh();
  };
  const first = config.version === 0;
  return (
    <div className="conf__form">
      <FormFields
        form={state}
        cols={2}
        label={112}
        fields={[
          { section: "签约限制" },
          { key: "holdDays", help: "到期未签自动退回草稿，房间释放" },
          { key: "backdateDays", help: "起租日最多可早于今天的天数" },
          "maxDepositMonths",
          "maxPrepayMonths",
          { key: "silentDays", help: "租客收到退房结算单后，超过这么多天没有答复的，可以登记为逾期未答复" },
          { key: "moveInRule", wide: true, help: "按办理入住当日的设置，已签未入住的合同同样适用" },
          { key: "freeRoomAt", wide: true, help: "退房房间从哪一步起可以再租，保存后即生效" },
          { key: "renewalWindowDays", help: "到期前多少天起可以续租，保存后即生效" },
          { key: "renewNeedsPaid", help: "有逾期账单的合同结清后才能续租，保存后即生效" },
          { key: "creditRule", wide: true, help: "签约当日应收加上企业已用额度超过授信额度时" },
          { key: "verifyRule", wide: true, help: "租客未登记证件或证件未核验通过时" },
        ]}
      >
        <DefaultTerms draft={termsDraft(state)} />
      </FormFields>
      <p className="acts">
        <Button look="main" busy={state.busy} why={state.dirty || first ? undefined : "没有修改"} run={save}>
          {first && villageId ? "保存为门店单独设置" : "保存合同参数"}
        </Button>
        <Button run={onClose}>取消</Button>
        <Wrong form={state} />
        <span className="dim">仅影响新签合同</span>
      </p>
    </div>
  );
}
