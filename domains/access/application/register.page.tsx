import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { mobile } from "../../../platform/kernel/texts/contact.ts";
import { companyName } from "../../../platform/kernel/texts/names.ts";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { LOGIN } from "../../../platform/console/session/guard.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { windowKept } from "../../../platform/console/session/storage.ts";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { account, realName } from "../operator/operator.rules.ts";
import { NewPasswordFields, passwordErrors } from "../password/new-password.panel.tsx";
import { LightField, useLightForm } from "../../../platform/console/shell/light-field.tsx";
import { Agreement, Front, FrontAlert, FrontForm, FrontSubmit } from "../session/front.panel.tsx";
import { unproven, VerifyFields } from "../../../platform/console/shell/verify-fields.tsx";

const EMPTY = {
  ...{ companyName: "", realName: "", account: "", phone: "" },
  ...{ imageCode: "", captcha: "", password: "", nPassword: "" },
};
const FIELDS = [
  {
    key: "companyName",
    label: "企业名称",
    placeholder: "营业执照上的名称，2-30个字",
    max: 30,
    judge: companyName,
  },
  { key: "realName", label: "姓名", placeholder: "2-20个中文或字母", max: 20, judge: realName },
  { key: "account", label: "登录账号", placeholder: "6-20位字母和数字组合", max: 20, judge: account },
  { key: "phone", label: "手机", placeholder: "接收验证码的手机号", max: 11, judge: mobile },
] as const;

/** 注册: a new customer applies for an account; the platform opens it. Only where the brand lets people register. */
export default function RegisterPage() {
  const { allowRegister, productTitle } = useBrand();
  const navigate = useNavigate();
  const form = useLightForm(EMPTY);
  const [agreed, setAgreed] = useState(false);
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);

  const check = () => {
    const judged = FIELDS.flatMap(({ key, judge }) => {
      const msg = judge(form.values[key]);
      return msg ? [[key, msg] as const] : [];
    });
    return {
      ...Object.fromEntries(judged),
      ...passwordErrors(form.values),
      ...unproven(form.values),
      ...(!agreed && { agree: "请阅读并同意用户协议" }),
    };
  };
  const submit = async () => {
    setAlert(undefined);
    if (!form.passes(check()) || busy) return;
    setBusy(true);
    try {
      const { imageCode: _i, captcha, nPassword: _n, ...body } = form.values;
      const applied = await sendWire<unknown>(
        { method: "POST", path: "/system/api/v3/login/register" },
        { body: { ...body, code: captcha.trim(), agreed } },
      );
      windowKept.set("applied", applied);
      void navigate("/user/register-result", { replace: true });
    } catch (error) {
      if (!form.refused(error, { code: "captcha" }).length) setAlert(sentence(error));
    } finally {
      setBusy(false);
    }
  };

  if (!allowRegister)
    return (
      <Front>
        <FrontForm submit={() => navigate(LOGIN)}>
          <h1>暂未开放注册</h1>
          <p role="status">请联系贵公司的系统管理员开通账号。</p>
          <FrontSubmit busy={false}>返回登录</FrontSubmit>
        </FrontForm>
      </Front>
    );
  return (
    <Front>
      <FrontForm className="login__long" submit={submit}>
        <h1>注册{productTitle}</h1>
        <p>提交后由平台审核，审核通过即可登录。</p>
        <FrontAlert>{alert}</FrontAlert>
        {FIELDS.map(({ key, label, placeholder, max, judge }, i) => (
          <LightField
            key={key}
            label={label}
            placeholder={placeholder}
            maxLength={max}
            autoFocus={i === 0}
            inputMode={key === "phone" ? "tel" : undefined}
            {...form.field(key, judge)}
          />
        ))}
        <VerifyFields phone={form.values.phone} type={1} form={form} />
        <NewPasswordFields form={form} />
        <div className="login__opt row gap-0 between fs-13">
          <Tick checked={agreed} onChange={setAgreed}>
            <span>
              我已阅读并同意<Agreement type="user">用户协议</Agreement>和
              <Agreement type="privacy">隐私政策</Agreement>
            </span>
          </Tick>
        </div>
        {form.errors.agree && (
          <p className="lf__msg fs-12 bad login__agreed" role="alert">
            {form.errors.agree}
          </p>
        )}
        <FrontSubmit busy={busy}>提交注册</FrontSubmit>
        <p className="login__agree">
          <Link to="/user/register-result?ask=1">查询申请结果</Link>
          <Link to={LOGIN}>返回登录</Link>
        </p>
      </FrontForm>
    </Front>
  );
}
