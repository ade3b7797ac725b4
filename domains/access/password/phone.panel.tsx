import { differentMobile, mobile } from "../../../platform/kernel/texts/contact.ts";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { leave } from "../../../platform/console/session/session.ts";
import { hashed } from "../../../platform/console/calls/sha256.ts";
import { windowKept } from "../../../platform/console/session/storage.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { LightField, useLightForm } from "../../../platform/console/shell/light-field.tsx";
import { unproven, VerifyFields } from "../../../platform/console/shell/verify-fields.tsx";
import { complain, OwnDialog } from "./own.panel.tsx";

/** Time to read that it worked before the page loads anew. */
const READ_MS = 1500;

/** 修改手机号: the new number with a code sent to it, and the password. Afterwards everybody signs in again. */
export default function PhonePanel({ onClose }: PanelProps) {
  const operator = useOperator();
  const { passwordHashTimes } = useBrand();
  const form = useLightForm({ phone: "", password: "", imageCode: "", captcha: "" });
  const judge = (phone: string) => mobile(phone) ?? differentMobile(operator?.phone ?? "")(phone);
  const save = async () => {
    const { phone: newPhone, password, captcha } = form.values;
    const phone = judge(newPhone);
    const found = {
      ...(phone && { phone }),
      ...(!password && { password: "请输入密码" }),
      ...unproven(form.values),
    };
    if (!form.passes(found)) return;
    try {
      const body = {
        code: captcha.trim(),
        name: operator?.name ?? "",
        newPhone,
        password: hashed(password, passwordHashTimes),
      };
      await sendWire({ method: "PUT", path: "/system/api/v3/login/updateInfo" }, { body });
    } catch (error) {
      return complain(form, error, { newPhone: "phone", code: "captcha" });
    }
    toast("修改手机号成功,请重新登录");
    windowKept.set("tabs", undefined);
    leave();
    setTimeout(() => location.reload(), READ_MS);
  };
  return (
    <OwnDialog title="修改手机号" form={form} onClose={onClose} save={save}>
      <LightField
        label="新手机号"
        {...form.field("phone", judge)}
        placeholder="接收验证码的新号码"
        autoComplete="tel"
        inputMode="tel"
        maxLength={11}
        autoFocus
      />
      <LightField
        label="登录密码"
        type="password"
        {...form.field("password")}
        placeholder="请输入密码"
        autoComplete="current-password"
        maxLength={64}
      />
      <VerifyFields phone={form.values.phone} type={3} form={form} />
    </OwnDialog>
  );
}
