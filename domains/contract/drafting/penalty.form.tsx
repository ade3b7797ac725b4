import { Input } from "antd";
import type { ReactNode } from "react";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import {
  ChoiceInput,
  FlagInput,
  type InputProps,
  NumberInput,
} from "../../../platform/console/inputs/inputs.tsx";
import { CLAWBACK_WORDS, PENALTY_WORDS } from "../terms/terms.contract.ts";
import type { TermsDraft } from "./draft.form.tsx";

/** A decimal that stays the text it was typed as, so that nothing is lost to binary fractions. */
export const DecimalInput = ({
  value,
  onChange,
  onBlur,
  unit,
  width,
  ...rest
}: InputProps<string> & { unit?: ReactNode; width?: number }) => (
  <Input
    {...rest}
    className="num-in"
    inputMode="decimal"
    autoComplete="off"
    value={value ?? ""}
    suffix={unit && <span className="unit">{unit}</span>}
    onChange={(event) => onChange(event.target.value.replaceAll("。", ".").trim())}
    {...(onBlur && { onBlur })}
    {...(width && { style: { width } })}
  />
);

/** What leaving early costs, and what staying too long does. */
export function LeaveFields({ draft }: { draft: TermsDraft }) {
  const { penaltyRule } = draft.form;
  const number = (unit: string) => (p: InputProps<unknown>) => (
    <NumberInput {...(p as InputProps<number>)} unit={unit} />
  );
  const decimal = (unit: string) => (p: InputProps<unknown>) => (
    <DecimalInput {...(p as InputProps<string>)} unit={unit} />
  );
  return (
    <>
      <OneField form={draft} path="noticeDays" more={{ title: "通知期", input: number("天") }} />
      <OneField
        form={draft}
        path="penaltyRule"
        more={{ input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={PENALTY_WORDS} /> }}
      />
      {penaltyRule === "months" && (
        <OneField
          form={draft}
          path="penaltyMonths"
          more={{ title: "违约金月数", input: decimal("个月租金") }}
        />
      )}
      {penaltyRule === "remainingPercent" && (
        <>
          <OneField form={draft} path="penaltyPercent" more={{ title: "剩余租金", input: number("%") }} />
          <OneField
            form={draft}
            path="penaltyCapMonths"
            more={{ title: "封顶", input: decimal("个月租金") }}
          />
        </>
      )}
      <OneField
        form={draft}
        path="rentFreeClawback"
        more={{ input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={CLAWBACK_WORDS} /> }}
      />
      <OneField
        form={draft}
        path="leaveDayCharged"
        more={{ title: "退房当日计租", input: (p) => <FlagInput {...(p as InputProps<boolean>)} /> }}
      />
      <OneField form={draft} path="holdoverPercent" more={{ title: "到期占用费", input: number("%") }} />
    </>
  );
}
