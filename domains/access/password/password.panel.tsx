import { useState } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave, Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Failure, showFailure } from "../../../platform/console/calls/failure.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import "../session/login.css";
import { VerifyFields } from "../sms/verify.panel.tsx";
import { NewPasswordFields, passwordErrors } from "./new-password.panel.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Errors = Partial<Record<string, string>>;
const EMPTY = { password: "", nPassword: "", imageCode: "", captcha: "" };

/** 修改密码: a new one twice and a code to the own phone. This session stays, all others end. */
export default function PasswordPanel({ onClose }: PanelProps) {
  const phone = useOperator()?.phone ?? "";
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const set = (patch: Partial<typeof EMPTY>) => setValues({ ...values, ...patch });
  const close = async () => {
    if (Object.values(values).some(Boolean) && !(await confirmLeave())) return;
    onClose?.();
  };
  const save = async () => {
    const found: Errors = {
      ...passwordErrors(values),
      ...(!values.imageCode.trim() && { imageCode: "请输入图形验证码" }),
      ...(!values.captcha.trim() && { captcha: "请输入短信验证码" }),
    };
    setErrors(found);
    if (Object.keys(found).length) return;
    try {
      const body = { code: values.captcha.trim(), password: values.password, phone };
      await sendWire({ method: "PUT", path: "/system/api/v3/operator/updatePassword" }, { body });
    } catch (error) {
      const fields = error instanceof Failure ? error.fields : [];
      setErrors(Object.fromEntries(fields.map((f) => [f.field === "code" ? "captcha" : f.field, f.msg])));
      if (!fields.length) showFailure(error);
      return;
    }
    toast("修改密码成功");
    onClose?.();
  };
  return (
    <Dialog
      title="修改密码"
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
      <NewPasswordFields values={values} set={set} errors={errors} complain={setErrors} />
      <VerifyFields phone={phone} type={5} values={values} set={set} errors={errors} complain={setErrors} />
    </Dialog>
  );
}
