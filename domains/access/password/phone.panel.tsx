import { useState } from "react";
import { differentMobile, mobile } from "../../../platform/kernel/contact.ts";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave, Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Failure, showFailure } from "../../../platform/console/calls/failure.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { leave } from "../../../platform/console/session/session.ts";
import { sha256 } from "../../../platform/console/calls/sha256.ts";
import { windowKept } from "../../../platform/console/session/storage.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { LightField } from "../session/field.panel.tsx";
import "../session/login.css";
import { VerifyFields } from "../sms/verify.panel.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Errors = Partial<Record<string, string>>;
const EMPTY = { phone: "", password: "", imageCode: "", captcha: "" };
/** Time to read that it worked before the page loads anew. */
const READ_MS = 1500;

/** 修改手机号: the new number with a code sent to it, and the password. Afterwards everybody signs in again. */
export default function PhonePanel({ onClose }: PanelProps) {
  const operator = useOperator();
  const { passwordHashTimes } = useBrand();
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const set = (patch: Partial<typeof EMPTY>) => setValues({ ...values, ...patch });
  const judge = () => mobile(values.phone) ?? differentMobile(operator?.phone ?? "")(values.phone);
  const close = async () => {
    if (Object.values(values).some(Boolean) && !(await confirmLeave())) return;
    onClose?.();
  };
  const save = async () => {
    const phone = judge();
    const found: Errors = {
      ...(phone && { phone }),
      ...(!values.password && { password: "请输入密码" }),
      ...(!values.imageCode.trim() && { imageCode: "请输入图形验证码" }),
      ...(!values.captcha.trim() && { captcha: "请输入短信验证码" }),
    };
    setErrors(found);
    if (Object.keys(found).length) return;
    let password = values.password;
    for (let i = 0; i < passwordHashTimes; i++) password = sha256(password);
    try {
      const body = {
        code: values.captcha.trim(),
        name: operator?.name ?? "",
        newPhone: values.phone,
        password,
      };
      await sendWire({ method: "PUT", path: "/system/api/v3/login/updateInfo" }, { body });
    } catch (error) {
      const fields = error instanceof Failure ? error.fields : [];
      const at: Record<string, string> = { newPhone: "phone", code: "captcha" };
      setErrors(Object.fromEntries(fields.map((f) => [at[f.field] ?? f.field, f.msg])));
      if (!fields.length) showFailure(error);
      return;
    }
    toast("修改手机号成功,请重新登录");
    windowKept.set("tabs", undefined);
    leave();
    setTimeout(() => location.reload(), READ_MS);
  };
  return (
    <Dialog
      title="修改手机号"
      width={360}
      onClose={() => void close()}
      footer={
        <Foot cancel={close}>
          <Button look="main" run={save}>
            确定
          </Button>
        </Foot>
      }
    >
      <LightField
        label="新手机号"
        value={values.phone}
        onChange={(phone) => set({ phone })}
        onBlur={() => values.phone && setErrors({ ...errors, phone: judge() })}
        error={errors.phone}
        placeholder="接收验证码的新号码"
        autoComplete="tel"
        inputMode="tel"
        maxLength={11}
        autoFocus
      />
      <LightField
        label="登录密码"
        type="password"
        value={values.password}
        onChange={(password) => set({ password })}
        error={errors.password}
        placeholder="请输入密码"
        autoComplete="current-password"
        maxLength={64}
      />
      <VerifyFields
        phone={values.phone}
        type={3}
        values={values}
        set={set}
        errors={errors}
        complain={setErrors}
      />
    </Dialog>
  );
}
