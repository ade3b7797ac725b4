import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { keep } from "../../../platform/console/session/storage.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { passwordHint } from "../../../platform/kernel/texts/password.ts";
import { LightField, useLightForm } from "../../../platform/console/shell/light-field.tsx";
import { Front, FrontAlert, FrontForm, FrontSubmit } from "../session/front.panel.tsx";

const PATH = "/system/api/v3/login/setup";
/** The password's placeholder says what the deployment demands. */
const FIELDS = [
  { key: "enterpriseName", label: "企业名称", placeholder: "营业执照上的名称", max: 30 },
  { key: "realName", label: "管理员姓名", placeholder: "2-20个中文或字母", max: 20 },
  { key: "account", label: "登录账号", placeholder: "6-20位字母和数字组合", max: 20 },
  { key: "phone", label: "手机", placeholder: "11位手机号", max: 11 },
  { key: "password", label: "密码", placeholder: "", max: 64 },
  { key: "again", label: "确认密码", placeholder: "再输入一次密码", max: 64 },
] as const;
type Key = (typeof FIELDS)[number]["key"];
const EMPTY: Record<Key, string> = {
  enterpriseName: "",
  realName: "",
  account: "",
  phone: "",
  password: "",
  again: "",
};

/** The first page of a production house: makes its enterprise and its first administrator. Loads no kit, as the login page. */
export default function SetupPage() {
  const brand = useBrand();
  const navigate = useNavigate();
  const token = useLocation().hash.slice(1);
  const [open, setOpen] = useState<boolean>();
  const form = useLightForm(EMPTY);
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    // an address without its token opens nothing
    if (!token) return setOpen(false);
    sendWire<{ open: boolean }>({ method: "GET", path: PATH }, { query: { token } }).then(
      (answer) => setOpen(answer.open),
      () => setOpen(false),
    );
  }, [token]);

  const submit = async () => {
    const { again, ...body } = form.values;
    const missing = FIELDS.filter((f) => !form.values[f.key]).map(
      (f) => [f.key, `请输入${f.label}`] as const,
    );
    const found: Partial<Record<Key, string>> = Object.fromEntries(missing);
    if (body.password !== again) found.again = "两次输入的密码不一致，请重新输入";
    setAlert(undefined);
    if (!form.passes(found) || busy) return;
    setBusy(true);
    try {
      await sendWire({ method: "POST", path: PATH }, { body: { token, ...body } });
      keep("account", body.account);
      toast("初始化完成，请登录");
      void navigate("/user/login", { replace: true });
    } catch (error) {
      if (!form.refused(error).some((field) => field in EMPTY)) setAlert(sentence(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Front>
      {open === false ? (
        <FrontForm role="alert" submit={() => navigate("/user/login")}>
          <h1>链接无效或已过期</h1>
          <p>
            初始化链接 24 小时内有效，只能使用一次。重新启动服务可得到新的链接；系统已经初始化时请直接登录。
          </p>
          <FrontSubmit busy={false}>去登录</FrontSubmit>
        </FrontForm>
      ) : (
        <FrontForm submit={submit}>
          <h1>初始化{brand.productTitle}</h1>
          <p>建立企业和第一位管理员，完成后用这个账号登录。</p>
          <FrontAlert>{alert}</FrontAlert>
          {FIELDS.map(({ key, label, placeholder, max }, i) => (
            <LightField
              key={key}
              label={label}
              placeholder={placeholder || passwordHint()}
              maxLength={max}
              type={key === "password" || key === "again" ? "password" : "text"}
              autoComplete={key === "password" || key === "again" ? "new-password" : "off"}
              inputMode={key === "phone" ? "tel" : undefined}
              autoFocus={i === 0}
              {...form.field(key)}
            />
          ))}
          <FrontSubmit busy={busy}>完成初始化</FrontSubmit>
        </FrontForm>
      )}
    </Front>
  );
}
