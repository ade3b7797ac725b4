import { FormFields } from "../../../platform/console/form/form.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import {
  ChoiceInput,
  MoneyInput,
  NumberInput,
  ReasonInput,
  type InputProps,
} from "../../../platform/console/inputs/inputs.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import type { PlanForm } from "./plan.contract.ts";
import { APPLY_TO, TYPED_MODES } from "./words.rules.ts";

const HELP = {
  percent: "负数为下调；-90 到 500，最多两位小数",
  amount: "负数为下调",
  set: "所选房间统一为这个价格",
  undo: "",
} as const;
const LIST_ONLY = { list: APPLY_TO.list } as const;

/** How prices change, from when on, and why. */
export function RuleStep({ form, undone }: { form: FormState<PlanForm>; undone: object | undefined }) {
  return (
    <FormFields
      form={form}
      fields={[
        ...(undone
          ? []
          : ([
              {
                key: "mode",
                input: (p: InputProps<string>) => (
                  <ChoiceInput
                    {...p}
                    words={TYPED_MODES}
                    onChange={(mode) => {
                      p.onChange(mode);
                      form.set("value", undefined);
                    }}
                  />
                ),
              },
              {
                key: "value",
                must: true,
                help: (v: Partial<PlanForm>) => HELP[v.mode ?? "percent"],
                input: (p: InputProps<number>, v: Partial<PlanForm>) =>
                  v.mode === "percent" ? (
                    <NumberInput key="percent" {...p} unit="%" />
                  ) : (
                    <MoneyInput key={v.mode} {...p} />
                  ),
              },
              {
                key: "applyTo",
                input: (p: InputProps<string>) => (
                  <ChoiceInput {...p} words={may("#601") ? APPLY_TO : LIST_ONLY} />
                ),
              },
              "round",
            ] as never[])),
        { key: "effectiveDay", help: "不早于今天；从这一天起用于新签合同，已签合同和已预订的价格不变" },
        { key: "reason", input: (p) => <ReasonInput {...p} placeholder="请填写调价原因（2-200字）" /> },
      ]}
    />
  );
}
