import type { Screen } from "../platform/console/screens/screen.ts";

const open = (path: string, title: string) => ({ path, title, codes: [], kind: "public" as const });

/** Pages that need no login. They stand alone, without the shell, and load neither the kit nor a contract. */
export const openPages: Screen[] = [
  { ...open("/user/login", "登录"), load: () => import("../domains/access/session/login.page.tsx") },
  { ...open("/user/recover", "找回密码"), load: () => import("../domains/access/password/recover.page.tsx") },
  {
    ...open("/user/register", "注册"),
    load: () => import("../domains/access/application/register.page.tsx"),
  },
  {
    ...open("/user/register-result", "注册结果"),
    load: () => import("../domains/access/application/result.page.tsx"),
  },
  { ...open("/portal/login", "门户登录"), load: () => import("../domains/access/sso/portal.page.tsx") },
  { ...open("/portal/home", "门户首页"), load: () => import("../domains/access/sso/home.page.tsx") },
  {
    ...open("/authsuccess", "认证成功"),
    load: () => import("../domains/contract/signing/auth-result.page.tsx"),
  },
  {
    ...open("/signsuccess", "签署成功"),
    load: () => import("../domains/contract/signing/sign-result.page.tsx"),
  },
  { ...open("/service/AppH5Page", "H5 页面"), load: () => import("../domains/service/h5/h5.page.tsx") },
  {
    ...open("/system/appAgreementPage", "用户协议"),
    load: () => import("../domains/service/h5/agreement.page.tsx"),
  },
  { ...open("/FileUploadH5", "手机上传"), load: () => import("../domains/system/ticket/upload.page.tsx") },
  { ...open("/cashier", "收银台"), load: () => import("../domains/finance/pay-order/till.page.tsx") },
  { ...open("/pay", "账单付款"), load: () => import("../domains/finance/checkout/pay.page.tsx") },
  { ...open("/setup", "初始化"), load: () => import("../domains/access/setup/setup.page.tsx") },
];
