import { useState } from "react";
import {
  password as judge,
  passwordHint,
  passwordStrength,
  repeats,
} from "../../../platform/kernel/password.ts";
import { LightField } from "../session/field.panel.tsx";

export type NewPassword = { password: string; nPassword: string };
type Errors = Partial<Record<string, string>>;

/** The sentences against a new password and its repetition; nothing when both are right. */
export const passwordErrors = ({ password, nPassword }: NewPassword): Errors => {
  const first = judge(password);
  const second = nPassword ? repeats(password)(nPassword) : judge(nPassword);
  return { ...(first && { password: first }), ...(second && { nPassword: second }) };
};

const WORDS = ["", "弱", "中", "强"];

/** A new password twice, with the meter of its kinds. It is judged when a field is left, the repetition against the first. */
export function NewPasswordFields({
  values,
  set,
  errors,
  complain,
}: {
  values: NewPassword;
  set: (patch: Partial<NewPassword>) => void;
  errors: Errors;
  complain: (errors: Errors) => void;
}) {
  const [typed, setTyped] = useState(false);
  const level = passwordStrength(values.password);
  const onLeave = (key: keyof NewPassword) => () => {
    if (!values[key]) return;
    const msg = passwordErrors(values)[key];
    complain({ ...errors, [key]: msg });
  };
  return (
    <>
      <LightField
        label="新密码"
        type="password"
        value={values.password}
        onChange={(password) => {
          setTyped(true);
          set({ password });
        }}
        onBlur={onLeave("password")}
        error={errors.password}
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
        value={values.nPassword}
        onChange={(nPassword) => set({ nPassword })}
        onBlur={onLeave("nPassword")}
        error={errors.nPassword}
        placeholder="再输入一次新密码"
        autoComplete="new-password"
        maxLength={64}
      />
    </>
  );
}
