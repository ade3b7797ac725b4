import { useOperator } from "../../../platform/console/session/operator.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useLightForm } from "../../../platform/console/shell/light-field.tsx";
import { unproven, VerifyFields } from "../../../platform/console/shell/verify-fields.tsx";
import { NewPasswordFields, passwordErrors } from "./new-password.panel.tsx";
import { complain, OwnDialog } from "./own.panel.tsx";

/** 修改密码: a new one twice and a code to the own phone. This session stays, all others end. */
export default function PasswordPanel({ onClose }: PanelProps) {
  const phone = useOperator()?.phone ?? "";
  const form = useLightForm({ password: "", nPassword: "", imageCode: "", captcha: "" });
  const save = async () => {
    const { password, captcha } = form.values;
    if (!form.passes({ ...passwordErrors(form.values), ...unproven(form.values) })) return;
    try {
      const body = { code: captcha.trim(), password, phone };
      await sendWire({ method: "PUT", path: "/system/api/v3/operator/updatePassword" }, { body });
    } catch (error) {
      return complain(form, error, { code: "captcha" });
    }
    toast("修改密码成功");
    onClose?.();
  };
  return (
    <OwnDialog title="修改密码" form={form} onClose={onClose} save={save}>
      <NewPasswordFields form={form} />
      <VerifyFields phone={phone} type={5} form={form} />
    </OwnDialog>
  );
}
