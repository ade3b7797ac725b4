import { Link, useNavigate, useSearchParams } from "react-router";
import { useRef, useState } from "react";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { HOME, ownPath } from "../../../platform/console/session/guard.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { enter } from "../../../platform/console/session/session.ts";
import { hashed } from "../../../platform/console/calls/sha256.ts";
import { drop, keep, kept } from "../../../platform/console/session/storage.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import {
  CaptchaImage,
  LightField,
  useCaptcha,
  useLightForm,
  type Errors,
} from "../../../platform/console/shell/light-field.tsx";
import { Agreement, Front, FrontAlert, FrontForm, FrontSubmit } from "./front.panel.tsx";

/** Answer of POST /system/api/v4/login, as far as the browser needs it. */
type Entered = { token: string; superType: string | null; phone: string | null };
/** What a refusal says besides its sentence. */
type Refused = { needImageCode?: boolean; lockedMinutes?: number };

/**
 * The log-in. Loads neither the kit nor the contracts: it must stand at once, also on a slow line. `said` is what whoever
 * was sent here is told first.
 */
export function LoginForm({ said }: { said?: string | undefined }) {
  const brand = useBrand();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const form = useLightForm({
    ...{ account: kept<string>("account") ?? "", password: "" },
    ...{ imageCode: "", dynamicCode: "" },
  });
  const { account, password, imageCode, dynamicCode } = form.values;
  const [factor, setFactor] = useState(false);
  const [remember, setRemember] = useState(() => kept<string>("account") !== undefined);
  const [seen, setSeen] = useState(false);
  const [demanded, setDemanded] = useState(false);
  const [captcha, reloadCaptcha] = useCaptcha(demanded);
  const [alert, setAlert] = useState(said);
  const [busy, setBusy] = useState(false);
  // state would come one render too late for a double click
  const sending = useRef(false);

  const check = (): Errors => ({
    ...(account.trim() ? {} : { account: "请输入账号" }),
    ...(password ? {} : { password: "请输入密码" }),
    ...(demanded && !imageCode.trim() ? { imageCode: "请输入图形验证码" } : {}),
    ...(factor && !dynamicCode.trim() ? { dynamicCode: "请输入动态验证码" } : {}),
  });

  const login = async () => {
    if (sending.current) return;
    if (!form.passes(check())) return;
    sending.current = true;
    setBusy(true);
    setAlert(undefined);
    try {
      const code = demanded && captcha ? { imageCode: imageCode.trim(), imageCodeKey: captcha.key } : {};
      const body = {
        account: account.trim(),
        password: hashed(password, brand.passwordHashTimes),
        ...code,
        ...(factor && { dynamicCode: dynamicCode.trim() }),
      };
      const entered = await sendWire<Entered>({ method: "POST", path: "/system/api/v4/login" }, { body });
      if (remember) keep("account", account.trim());
      else drop("account");
      enter(entered.token, entered.superType ?? "", entered.phone ?? "");
      void navigate(ownPath(search.get("redirect")) ?? HOME, { replace: true });
    } catch (error) {
      const data = error instanceof Failure ? (error.data as Refused | null) : null;
      const minutes = data?.lockedMinutes;
      setAlert(`${sentence(error)}${minutes ? `，或在 ${minutes} 分钟后重试` : ""}`);
      form.set({ imageCode: "", dynamicCode: "" });
      const right = error instanceof Failure && error.code === "secondFactor";
      if (right) setFactor(true);
      if (demanded) void reloadCaptcha();
      else if (data?.needImageCode) {
        setDemanded(true);
        if (!right) form.set({ password: "" });
      }
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  return (
    <FrontForm submit={login}>
      <h1>{brand.loginTitle}</h1>
      <p>{brand.headerTitle}</p>
      <FrontAlert>{alert}</FrontAlert>
      <LightField
        label="账号"
        icon="user"
        {...form.field("account")}
        onChange={(typed) => {
          form.set({ account: typed });
          setFactor(false);
        }}
        placeholder="登录名或手机号"
        autoComplete="username"
        maxLength={30}
        autoFocus={!account}
      />
      <LightField
        label="密码"
        icon="lock"
        type={seen ? "text" : "password"}
        {...form.field("password")}
        placeholder="请输入密码"
        autoComplete="current-password"
        maxLength={64}
        autoFocus={account !== ""}
        tool={
          <button
            type="button"
            className="ib"
            aria-label={seen ? "隐藏密码" : "显示密码"}
            aria-pressed={seen}
            onClick={() => setSeen(!seen)}
          >
            <Icon name="eye" />
          </button>
        }
      />
      {factor && (
        <LightField
          label="动态验证码"
          icon="shield"
          {...form.field("dynamicCode")}
          placeholder="验证器上的 6 位数字，或恢复码"
          autoComplete="one-time-code"
          maxLength={20}
          autoFocus
        />
      )}
      {demanded && (
        <LightField
          label="图形验证码"
          {...form.field("imageCode")}
          placeholder="4 位字符，不分大小写"
          autoComplete="off"
          maxLength={4}
          beside={<CaptchaImage captcha={captcha} reload={() => void reloadCaptcha()} />}
        />
      )}
      <div className="login__opt row gap-0 between fs-13">
        <Tick checked={remember} onChange={setRemember}>
          记住账号
        </Tick>
        <span className="login__links">
          <Link to="/user/recover">忘记密码</Link>
          {brand.allowRegister && <Link to="/user/register">注册</Link>}
        </span>
      </div>
      <FrontSubmit busy={busy}>登录</FrontSubmit>
      <p className="login__agree">
        登录即表示同意
        <Agreement type="user">用户协议</Agreement>和<Agreement type="privacy">隐私政策</Agreement>
      </p>
      {brand.sso && <SsoButton name={brand.sso.name} />}
      {brand.demo && (
        <div className="login__demo fs-12 sub">
          演示环境，点击填入账号：
          {brand.demo.accounts.map((one) => (
            <button
              key={one.account}
              type="button"
              onClick={() => {
                form.set({ account: one.account, password: one.password });
                form.setErrors({});
                setFactor(false);
              }}
            >
              {one.name}
            </button>
          ))}
        </div>
      )}
    </FrontForm>
  );
}

/** Sends the browser to the issuer; it comes back to /portal/login. */
function SsoButton({ name }: { name: string }) {
  const [busy, setBusy] = useState(false);
  const go = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const start = { method: "POST", path: "/system/api/v4/login/sso", cookies: true } as const;
      const { url } = await sendWire<{ url: string }>(start);
      location.assign(url);
    } catch (error) {
      setBusy(false);
      toast(sentence(error), "error");
    }
  };
  return (
    <button
      type="button"
      className="btn btn--lg login__sso"
      aria-busy={busy || undefined}
      onClick={() => void go()}
    >
      使用{name}登录
    </button>
  );
}

export default function LoginPage() {
  return (
    <Front>
      <LoginForm />
    </Front>
  );
}
