import { QRCodeSVG } from "@rc-component/qrcode";
import { useState } from "react";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Failure, showFailure } from "../../../platform/console/calls/failure.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { hashed } from "../../../platform/console/calls/sha256.ts";
import { copy } from "../../../platform/console/parts/toast.ts";
import { LightField } from "../../../platform/console/shell/light-field.tsx";
import "../session/login.css";
import { beginSecondFactor, confirmSecondFactor } from "./second-factor.contract.ts";

/** What a form says below its one field; anything else is shown as a toast. */
export function complaintOf(error: unknown): string | undefined {
  const field = error instanceof Failure ? error.fields[0] : undefined;
  if (!field) showFailure(error);
  return field?.msg;
}

type EnrolStepsProps = {
  note: string;
  leave: { label: string; run: () => unknown };
  /** It can only be answered or left. */
  locked?: boolean;
  onDone: () => unknown;
};

/** Password, then the picture and a code of it, then the recovery codes. `note` says why, `leave` is the way out of it. */
export function EnrolSteps({ note, leave, locked = false, onDone }: EnrolStepsProps) {
  const { passwordHashTimes } = useBrand();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const [begun, setBegun] = useState<{ secret: string; uri: string }>();
  const [recovery, setRecovery] = useState<string[]>();

  const begin = async () => {
    if (!password) return setError("请输入登录密码");
    try {
      const body = { password: hashed(password, passwordHashTimes) };
      setBegun(await send(beginSecondFactor, { body }));
      setError(undefined);
    } catch (failed) {
      setError(complaintOf(failed));
    }
  };
  const finish = async () => {
    if (!code.trim()) return setError("请输入动态验证码");
    try {
      setRecovery((await send(confirmSecondFactor, { body: { code: code.trim() } })).recoveryCodes);
    } catch (failed) {
      setError(complaintOf(failed));
    }
  };

  if (recovery)
    return (
      <Dialog
        title="保存恢复码"
        width={400}
        locked
        onClose={() => undefined}
        footer={
          <>
            <Button run={() => copy(recovery.join("\n"))}>复制恢复码</Button>
            <Button look="main" run={onDone}>
              我已保存
            </Button>
          </>
        }
      >
        <p className="factor__note">
          两步验证已开启。手机不在身边时，可用恢复码代替动态验证码登录，每个只能用一次。恢复码只在这里显示一次，请妥善保存。
        </p>
        <ul className="factor__codes grid gap-4" aria-label="恢复码">
          {recovery.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </Dialog>
    );
  return (
    <Dialog
      title="开启两步验证"
      width={400}
      locked={locked}
      onClose={() => void (locked || leave.run())}
      footer={
        <>
          <Button look={locked ? "text" : "plain"} run={leave.run}>
            {leave.label}
          </Button>
          <Button look="main" run={begun ? finish : begin}>
            {begun ? "开启" : "下一步"}
          </Button>
        </>
      }
    >
      {begun ? (
        <>
          <p className="factor__note">
            用手机上的验证器应用（如腾讯身份验证器、Microsoft Authenticator）扫描二维码，再填写应用显示的 6
            位数字。
          </p>
          <div className="factor__picture">
            <QRCodeSVG value={begun.uri} size={176} marginSize={2} title="两步验证二维码" />
          </div>
          <p className="factor__secret fs-12 dim">
            无法扫码时，手动输入密钥：
            <b aria-label="密钥">{begun.secret.replace(/(.{4})(?=.)/g, "$1 ")}</b>
          </p>
          <LightField
            key="code"
            label="动态验证码"
            value={code}
            onChange={setCode}
            error={error}
            placeholder="6 位数字"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={7}
            autoFocus
          />
        </>
      ) : (
        <>
          <p className="factor__note">{note}</p>
          <LightField
            key="password"
            label="登录密码"
            type="password"
            value={password}
            onChange={setPassword}
            error={error}
            placeholder="请输入密码"
            autoComplete="current-password"
            maxLength={64}
            autoFocus
          />
        </>
      )}
    </Dialog>
  );
}
