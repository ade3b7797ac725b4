import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { askLeave } from "../../../platform/console/shell/log-out.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useLightForm } from "../../../platform/console/shell/light-field.tsx";
import { NewPasswordFields, passwordErrors } from "./new-password.panel.tsx";
import { complain } from "./own.panel.tsx";

/** In place of everything while the password is one that an administrator gave: it cannot be closed, only answered or left. */
export default function GivenPanel() {
  const operator = useOperator();
  const refresh = useRefresh();
  const form = useLightForm({ password: "", nPassword: "" });
  if (!operator?.mustChangePassword) return null;
  const save = async () => {
    if (!form.passes(passwordErrors(form.values))) return;
    try {
      const body = { password: form.values.password };
      await sendWire({ method: "PUT", path: "/system/api/v3/operator/replacePassword" }, { body });
    } catch (error) {
      return complain(form, error);
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
      <NewPasswordFields form={form} />
    </Dialog>
  );
}
