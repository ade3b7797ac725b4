import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { askLeave } from "../../../platform/console/shell/log-out.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { EnrolSteps } from "./enrol.panel.tsx";

/** In place of everything while the enterprise demands a second factor that is not on yet. */
export default function DemandedPanel() {
  const operator = useOperator();
  const refresh = useRefresh();
  if (!operator?.mustEnrol || operator.mustChangePassword) return null;
  return (
    <EnrolSteps
      note="企业要求登录时除密码外再填写动态验证码。请先用手机上的验证器应用绑定本账号。"
      leave={{ label: "退出登录", run: askLeave }}
      locked
      onDone={refresh}
    />
  );
}
