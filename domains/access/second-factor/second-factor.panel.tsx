import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { Broken, PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { LightField } from "../../../platform/console/shell/light-field.tsx";
import { complaintOf, EnrolSteps } from "./enrol.panel.tsx";
import { endSecondFactor, readSecondFactor } from "./second-factor.contract.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

/** 两步验证 of one's own account: switched on with the password, switched off with a code. */
export default function SecondFactorPanel({ onClose }: PanelProps) {
  // what it was when the dialog opened: switching it on must not turn the recovery codes into the other dialog
  const { data, error, refetch } = useQuery({ ...ask(readSecondFactor), staleTime: Infinity, gcTime: 0 });
  const refresh = useRefresh();
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<string>();
  const close = () => onClose?.();
  const done = async () => {
    close();
    await refresh();
  };
  if (data && !data.on)
    return (
      <EnrolSteps
        note="开启后，登录时除密码外还要填写手机验证器应用上的动态验证码。本账号在其他设备上的登录会退出。"
        leave={{ label: "取消", run: close }}
        onDone={done}
      />
    );
  const end = async () => {
    if (!code.trim()) return setWrong("请输入动态验证码");
    try {
      await send(endSecondFactor, { body: { code: code.trim() } });
    } catch (failed) {
      return setWrong(complaintOf(failed));
    }
    toast("两步验证已关闭");
    await done();
  };
  return (
    <Dialog
      title="两步验证"
      width={400}
      onClose={close}
      footer={data && <Foot cancel={close} ok="关闭两步验证" run={end} />}
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : data ? (
        <>
          <p className="factor__note">
            已于 {timeInZone(data.since!).slice(0, 16)} 开启，剩余恢复码 {data.recoveryCodes} 个。
            {data.required
              ? "企业要求使用两步验证，关闭后须立即重新绑定；更换手机时可以这样做。"
              : "更换手机或重新获取恢复码时，先关闭再重新开启。"}
          </p>
          <LightField
            label="动态验证码"
            value={code}
            onChange={setCode}
            error={wrong}
            placeholder="验证器上的 6 位数字，或恢复码"
            autoComplete="one-time-code"
            maxLength={20}
            autoFocus
          />
        </>
      ) : (
        <PageSkeleton />
      )}
    </Dialog>
  );
}
