import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { mobile } from "../../../platform/kernel/texts/contact.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { LOGIN } from "../../../platform/console/session/guard.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { LightField, useLightForm } from "../../../platform/console/shell/light-field.tsx";
import { Front, FrontAlert, FrontForm, FrontSubmit } from "../session/front.panel.tsx";
import { unproven, VerifyFields } from "../../../platform/console/shell/verify-fields.tsx";
import { NewPasswordFields, passwordErrors } from "./new-password.panel.tsx";

const EMPTY = { phone: "", imageCode: "", captcha: "", password: "", nPassword: "" };
const BACK_SECONDS = 3;

/** 找回密码: the phone on file, a code sent to it, a new password, and back to the login. */
export default function RecoverPage() {
  const navigate = useNavigate();
  const [step, setStep] = useState<1 | 2 | 3>(1);
  const form = useLightForm(EMPTY);
  const { phone, captcha, password } = form.values;
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [left, setLeft] = useState(BACK_SECONDS);
  useEffect(() => {
    if (step !== 3) return;
    if (!left) return void navigate(LOGIN, { replace: true });
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [step, left, navigate]);

  const next = () => {
    const wrong = mobile(phone);
    if (form.passes({ ...(wrong && { phone: wrong }), ...unproven(form.values) })) setStep(2);
  };
  const back = () => {
    // the number stays, what proves it does not
    form.set({ ...EMPTY, phone });
    form.setErrors({});
    setStep(1);
  };
  const save = async () => {
    if (!form.passes(passwordErrors(form.values)) || busy) return;
    setBusy(true);
    setAlert(undefined);
    try {
      const body = { phone, code: captcha.trim(), password };
      await sendWire({ method: "POST", path: "/system/api/v4/login/forgetPassword" }, { body });
      toast("密码已重置，请重新登录");
      setStep(3);
    } catch (error) {
      if (!form.refused(error).includes("password")) {
        back();
        setAlert(sentence(error));
      }
    } finally {
      setBusy(false);
    }
  };

  if (step === 3)
    return (
      <Front>
        <FrontForm submit={() => navigate(LOGIN, { replace: true })}>
          <h1>密码已重置</h1>
          <p role="status">请用新密码登录，{left} 秒后自动返回。其他设备上的登录已全部退出。</p>
          <FrontSubmit busy={false}>去登录</FrontSubmit>
        </FrontForm>
      </Front>
    );
  return (
    <Front>
      <FrontForm submit={step === 1 ? next : save}>
        <h1>找回密码</h1>
        <p>{step === 1 ? "第 1 步，共 2 步：验证登记的手机" : `第 2 步，共 2 步：为 ${phone} 设置新密码`}</p>
        <FrontAlert>{alert}</FrontAlert>
        {step === 1 ? (
          <>
            <LightField
              label="手机"
              icon="user"
              {...form.field("phone", mobile)}
              placeholder="账号登记的手机号"
              autoComplete="tel"
              inputMode="tel"
              maxLength={11}
              autoFocus
            />
            <VerifyFields phone={phone} type={2} form={form} />
          </>
        ) : (
          <NewPasswordFields form={form} />
        )}
        <FrontSubmit busy={busy}>{step === 1 ? "下一步" : "重置密码"}</FrontSubmit>
        <p className="login__agree">
          {step === 2 && (
            <button type="button" className="login__back" onClick={back}>
              上一步
            </button>
          )}
          <Link to={LOGIN}>返回登录</Link>
        </p>
      </FrontForm>
    </Front>
  );
}
