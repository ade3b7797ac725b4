import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Failure, showFailure } from "../../../platform/console/calls/failure.ts";
import { askLeave } from "../../../platform/console/shell/log-out.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import "../session/login.css";
import { NewPasswordFields, passwordErrors } from "./new-password.panel.tsx";

type Errors = Partial<Record<string, string>>;

/** In place of everything while the password is one that an administrator gave: it cannot be closed, only answered or left. */
export default function GivenPanel() {
  const operator = useOperator();
  const refresh = useRefresh();
  const [values, setValues] = useState({ password: "", nPassword: "" });
  const [errors, setErrors] = useState<Errors>({});
  if (!operator?.mustChangePassword) return null;
  const save = async () => {
    const found = passwordErrors(values);
    setErrors(found);
    if (Object.keys(found).length) return;
    try {
      const body = { password: values.password };
      await sendWire({ method: "PUT", path: "/system/api/v3/operator/replacePassword" }, { body });
    } catch (error) {
      const fields = error instanceof Failure ? error.fields : [];
      setErrors(Object.fromEntries(fields.map((f) => [f.field, f.msg])));
      if (!fields.length) showFailure(error);
      return;
    }
    toast("修改密码成功");
    await refresh();
  };
  return (
    <Dialog
      title="设置自己的密码"
      width={360}
      locked
      onClose={() => undefined}
      footer={
        <>
          <Button look="text" run={askLeave}>
            退出登录
          </Button>
          <Button look="main" run={save}>
            保存
          </Button>
        </>
      }
    >
      <p className="dim">当前密码由管理员设置，请先换成只有您知道的密码。</p>
      <NewPasswordFields
        values={values}
        set={(patch) => setValues({ ...values, ...patch })}
        errors={errors}
        complain={setErrors}
      />
    </Dialog>
  );
}
