import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { mobile } from "../../../platform/kernel/contact.ts";
import { companyName } from "../../../platform/kernel/names.ts";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { LOGIN } from "../../../platform/console/session/guard.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { windowKept } from "../../../platform/console/session/storage.ts";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { account, realName } from "../operator/operator.rules.ts";
import { NewPasswordFields, passwordErrors } from "../password/new-password.panel.tsx";
import { LightField } from "../session/field.panel.tsx";
import { Agreement, Front, FrontAlert, FrontSubmit } from "../session/front.panel.tsx";
import { VerifyFields } from "../sms/verify.panel.tsx";

type Errors = Partial<Record<string, string>>;
const EMPTY = {
  companyName: "",
  realName: "",
  account: "",
  phone: "",
  imageCode: "",
  captcha: "",
  password: "",
  nPassword: "",
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
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const [agreed, setAgreed] = useState(false);
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);
  const set = (patch: Partial<typeof EMPTY>) => setValues({ ...values, ...patch });

  const check = (): Errors => {
    const judged = FIELDS.flatMap(({ key, judge }) => {
      const msg = judge(values[key]);
      return msg ? [[key, msg] as const] : [];
    });
    return {
      ...Object.fromEntries(judged),
      ...passwordErrors(values),
      ...(!values.imageCode.trim() && { imageCode: "请输入图形验证码" }),
      ...(!values.captcha.trim() && { captcha: "请输入短信验证码" }),
      ...(!agreed && { agree: "请阅读并同意用户协议" }),
    };
  };
  const submit = async () => {
    const found = check();
    setErrors(found);
    setAlert(undefined);
    if (Object.keys(found).length || busy) return;
    setBusy(true);
    try {
      const { imageCode: _i, captcha, nPassword: _n, ...body } = values;
      const applied = await sendWire<unknown>(
        { method: "POST", path: "/system/api/v3/login/register" },
        { body: { ...body, code: captcha.trim() } },
      );
      windowKept.set("applied", applied);
      void navigate("/user/register-result", { replace: true });
    } catch (error) {
      const fields = error instanceof Failure ? error.fields : [];
      setErrors(Object.fromEntries(fields.map((f) => [f.field === "code" ? "captcha" : f.field, f.msg])));
      if (!fields.length) setAlert(sentence(error));
    } finally {
      setBusy(false);
    }
  };

  if (!allowRegister)
    return (
      <Front>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void navigate(LOGIN);
          }}
        >
          <h1>暂未开放注册</h1>
          <p role="status">请联系贵公司的系统管理员开通账号。</p>
          <FrontSubmit busy={false}>返回登录</FrontSubmit>
        </form>
      </Front>
    );
  return (
    <Front>
      <form
        className="login__long"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
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
            value={values[key]}
            onChange={(value) => set({ [key]: value })}
            onBlur={() => values[key] && setErrors({ ...errors, [key]: judge(values[key]) })}
            error={errors[key]}
          />
        ))}
        <VerifyFields
          phone={values.phone}
          type={1}
          values={values}
          set={set}
          errors={errors}
          complain={setErrors}
        />
        <NewPasswordFields values={values} set={set} errors={errors} complain={setErrors} />
        <div className="login__opt row gap-0 between fs-13">
          <Tick checked={agreed} onChange={setAgreed}>
            <span>
              我已阅读并同意<Agreement type="user">用户协议</Agreement>和
              <Agreement type="privacy">隐私政策</Agreement>
            </span>
          </Tick>
        </div>
        {errors.agree && (
          <p className="lf__msg fs-12 bad login__agreed" role="alert">
            {errors.agree}
          </p>
        )}
        <FrontSubmit busy={busy}>提交注册</FrontSubmit>
        <p className="login__agree">
          <Link to="/user/register-result?ask=1">查询申请结果</Link>
          <Link to={LOGIN}>返回登录</Link>
        </p>
      </form>
    </Front>
  );
}
