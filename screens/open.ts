import type { Screen } from "../platform/console/screen.ts";

/** Pages that need no login. They stand alone, without the shell, and load neither the kit nor a contract. */
export const openPages: Screen[] = [
  {
    path: "/user/login",
    title: "登录",
    codes: [],
    kind: "public",
    load: () => import("../domains/access/session/login.page.tsx"),
  },
  {
    path: "/user/recover",
    title: "找回密码",
    codes: [],
    kind: "public",
    load: () => import("../domains/access/password/recover.page.tsx"),
  },
  {
    path: "/user/register",
    title: "注册",
    codes: [],
    kind: "public",
    load: () => import("../domains/access/application/register.page.tsx"),
  },
  {
    path: "/user/register-result",
    title: "注册结果",
    codes: [],
    kind: "public",
    load: () => import("../domains/access/application/result.page.tsx"),
  },
  {
    path: "/portal/login",
    title: "门户登录",
    codes: [],
    kind: "public",
    load: () => import("../domains/access/sso/portal.page.tsx"),
  },
  {
    path: "/portal/home",
    title: "门户首页",
    codes: [],
    kind: "public",
    load: () => import("../domains/access/sso/home.page.tsx"),
  },
  {
    path: "/authsuccess",
    title: "认证成功",
    codes: [],
    kind: "public",
    load: () => import("../domains/contract/signing/auth-result.page.tsx"),
  },
  {
    path: "/signsuccess",
    title: "签署成功",
    codes: [],
    kind: "public",
    load: () => import("../domains/contract/signing/sign-result.page.tsx"),
  },
  {
    path: "/service/AppH5Page",
    title: "H5 页面",
    codes: [],
    kind: "public",
    load: () => import("../domains/service/h5/h5.page.tsx"),
  },
  {
    path: "/system/appAgreementPage",
    title: "用户协议",
    codes: [],
    kind: "public",
    load: () => import("../domains/service/h5/agreement.page.tsx"),
  },
  {
    path: "/FileUploadH5",
    title: "手机上传",
    codes: [],
    kind: "public",
    load: () => import("../domains/system/ticket/upload.page.tsx"),
  },
  {
    path: "/setup",
    title: "初始化",
    codes: [],
    kind: "public",
    load: () => import("../domains/access/setup/setup.page.tsx"),
  },
];
