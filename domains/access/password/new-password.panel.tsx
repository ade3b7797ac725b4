import { useState } from "react";
import {
  password as judge,
  passwordHint,
  passwordStrength,
  repeats,
} from "../../../platform/kernel/texts/password.ts";
import { LightField, type Errors, type LightForm } from "../../../platform/console/shell/light-field.tsx";

export type NewPassword = { password: string; nPassword: string };

/** The sentences against a new password and its repetition; nothing when both are right. */
export const passwordErrors = ({ password, nPassword }: NewPassword): Errors => {
  const first = judge(password);
  const second = nPassword ? repeats(password)(nPassword) : judge(nPassword);
  return { ...(first && { password: first }), ...(second && { nPassword: second }) };
};

const WORDS = ["", "弱", "中", "强"];

/** A new password twice, with the meter of its kinds. It is judged when a field is left, the repetition against the first. */
export function NewPasswordFields({ form }: { form: LightForm<NewPassword> }) {
  const [typed, setTyped] = useState(false);
  const level = passwordStrength(form.values.password);
  const judged = (key: keyof NewPassword) => form.field(key, () => passwordErrors(form.values)[key]);
  const first = judged("password");
  return (
    <>
      <LightField
        label="新密码"
        type="password"
        {...first}
        onChange={(password) => {
          setTyped(true);
          first.onChange(password);
        }}
        placeholder="请输入新密码"
        autoComplete="new-password"
        maxLength={64}
      />
      <div
        className={`meter meter--${level}`}
        role="meter"
        aria-label="密码强度"
        aria-valuenow={level}
        aria-valuemin={0}
        aria-valuemax={3}
      >
        <i />
        <i />
        <i />
        <span>{typed && level ? WORDS[level] : passwordHint()}</span>
      </div>
      <LightField
        label="确认密码"
        type="password"
        {...judged("nPassword")}
        placeholder="再输入一次新密码"
        autoComplete="new-password"
        maxLength={64}
      />
    </>
  );
}
