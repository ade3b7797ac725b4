import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { mobile } from "../../../platform/kernel/texts/contact.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { LOGIN } from "../../../platform/console/session/guard.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { windowKept } from "../../../platform/console/session/storage.ts";
import { LightField, useLightForm } from "../../../platform/console/shell/light-field.tsx";
import { Front, FrontAlert, FrontForm, FrontSubmit } from "../session/front.panel.tsx";
import { VerifyFields } from "../../../platform/console/shell/verify-fields.tsx";
import { APPLICATION_WORDS, type ApplicationState } from "./application.rules.ts";

/** What the server answers to an application, and to the question how it stands. */
type Applied = {
  number: string;
  companyName: string;
  account: string;
  state: ApplicationState;
  reason: string;
};
const TITLES: Record<ApplicationState, string> = {
  waiting: "注册成功，等待平台审核",
  enabled: "账号已开通",
  refused: "注册申请未通过",
};

/** 注册结果: the application just made; ?ask=1 asks for an earlier one by its phone. Anything else leads to the login. */
export default function ResultPage() {
  const navigate = useNavigate();
  const asking = new URLSearchParams(location.search).has("ask");
  const [applied, setApplied] = useState(() => (asking ? undefined : windowKept.get<Applied>("applied")));
  useEffect(() => {
    if (!applied && !asking) void navigate(LOGIN, { replace: true });
  }, [applied, asking, navigate]);
  if (!applied) return <Front>{asking && <Ask found={setApplied} />}</Front>;
  return (
    <Front>
      <FrontForm
        submit={() => {
          windowKept.set("applied", undefined);
          void navigate(LOGIN, { replace: true });
        }}
      >
        <h1>{TITLES[applied.state]}</h1>
        <p role="status">
          {applied.state === "waiting" && "审核结果可凭注册手机查询，审核通过后用账号登录。"}
          {applied.state === "refused" && `原因：${applied.reason}`}
          {applied.state === "enabled" && "现在就可以登录。"}
        </p>
        <dl className="login__facts grid gap-4 fs-13">
          <dt>申请编号</dt>
          <dd>{applied.number}</dd>
          <dt>企业名称</dt>
          <dd>{applied.companyName}</dd>
          <dt>登录账号</dt>
          <dd>{applied.account}</dd>
          <dt>状态</dt>
          <dd>{APPLICATION_WORDS[applied.state][0]}</dd>
        </dl>
        <FrontSubmit busy={false}>返回登录</FrontSubmit>
      </FrontForm>
    </Front>
  );
}

/** Finds the newest application of a phone, for whoever receives codes there. */
function Ask({ found }: { found: (applied: Applied) => void }) {
  const form = useLightForm({ phone: "", imageCode: "", captcha: "" });
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const { phone, captcha } = form.values;
    const wrong = mobile(phone);
    const missing = {
      ...(wrong && { phone: wrong }),
      ...(!captcha.trim() && { captcha: "请输入短信验证码" }),
    };
    setAlert(undefined);
    if (!form.passes(missing) || busy) return;
    setBusy(true);
    try {
      const body = { phone, code: captcha.trim() };
      found(
        await sendWire<Applied>({ method: "POST", path: "/system/api/v3/login/register/result" }, { body }),
      );
    } catch (error) {
      setAlert(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <FrontForm submit={submit}>
      <h1>查询注册结果</h1>
      <p>用注册时的手机接收验证码。</p>
      <FrontAlert>{alert}</FrontAlert>
      <LightField
        label="手机"
        {...form.field("phone")}
        placeholder="注册时的手机号"
        inputMode="tel"
        maxLength={11}
        autoFocus
      />
      <VerifyFields phone={form.values.phone} type={1} form={form} />
      <FrontSubmit busy={busy}>查询</FrontSubmit>
      <p className="login__agree">
        <Link to={LOGIN}>返回登录</Link>
      </p>
    </FrontForm>
  );
}
