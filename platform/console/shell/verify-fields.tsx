import { useEffect, useRef, useState } from "react";
import { isMobile } from "../../kernel/texts/contact.ts";
import { showFailure } from "../calls/failure.ts";
import { sendWire } from "../calls/request.ts";
import { toast } from "../parts/toast.ts";
import { CaptchaImage, useCaptcha, LightField, type Errors, type LightForm } from "./light-field.tsx";

/** So long the button counts before another code can be asked for (specification section 4). */
const SECONDS = 60;

export type Verified = { imageCode: string; captcha: string };
/** The sentences against what proves a phone; nothing where both codes are there. */
export const unproven = ({ imageCode, captcha }: Verified): Errors => ({
  ...(!imageCode.trim() && { imageCode: "请输入图形验证码" }),
  ...(!captcha.trim() && { captcha: "请输入短信验证码" }),
});

const SEND = "/system/api/v4/login/sendVerification";
/**
 * A valid mobile and the picture's code are needed before a code is sent to `phone`: of a kind, or by a call at another
 * path that knows its kind.
 */
type Props = { phone: string; form: LightForm<Verified> } & (
  | { type: 1 | 2 | 3 | 4 | 5; path?: undefined }
  | { type?: undefined; path: string }
);

/** The picture's code and the code that it brings to a phone: one for every form that asks for it. */
export function VerifyFields({ phone, type, path = SEND, form }: Props) {
  const { imageCode } = form.values;
  const [captcha, load] = useCaptcha(true);
  /** A picture brings one code. */
  const [spent, setSpent] = useState(false);
  const reload = () => {
    setSpent(false);
    void load();
  };
  const [left, setLeft] = useState(0);
  const running = useRef<ReturnType<typeof setInterval>>(undefined);
  const stop = () => {
    clearInterval(running.current);
    setLeft(0);
  };
  useEffect(() => () => clearInterval(running.current), []);

  const send = async () => {
    const missing: Errors = {
      ...(!isMobile(phone) && { phone: "请输入正确的手机号" }),
      ...(!imageCode.trim() && { imageCode: "请输入图形验证码" }),
    };
    if (!form.passes(missing) || left) return;
    if (spent) {
      form.set({ imageCode: "" });
      form.setErrors({ imageCode: "图形验证码已更换，请重新输入" });
      return reload();
    }
    setLeft(SECONDS);
    running.current = setInterval(() => {
      setLeft((now) => {
        if (now > 1) return now - 1;
        clearInterval(running.current);
        return 0;
      });
    }, 1000);
    try {
      const body = {
        phone,
        ...(type && { type }),
        imageCode: imageCode.trim(),
        imageCodeKey: captcha?.key ?? "",
      };
      await sendWire({ method: "POST", path }, { body });
      setSpent(true);
      toast("短信验证码已发送，请注意查收");
    } catch (error) {
      stop();
      form.set({ imageCode: "" });
      showFailure(error);
      reload();
    }
  };
  return (
    <>
      <LightField
        label="图形验证码"
        {...form.field("imageCode")}
        placeholder="4 位字符，不分大小写"
        autoComplete="off"
        maxLength={4}
        beside={<CaptchaImage captcha={captcha} reload={reload} />}
      />
      <LightField
        label="短信验证码"
        {...form.field("captcha")}
        placeholder="6 位数字"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={6}
        beside={
          <button type="button" className="btn sms__send" disabled={left > 0} onClick={() => void send()}>
            {left > 0 ? `${left} 秒后重发` : "获取验证码"}
          </button>
        }
      />
    </>
  );
}
