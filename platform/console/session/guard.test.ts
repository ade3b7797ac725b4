import { expect, test } from "vitest";
import { entrance, HOME, loginFor, ownPath } from "./guard.ts";
import type { House } from "../screens/screen.ts";

const load = () => Promise.reject(new Error("not loaded here"));
const house: House = {
  menus: [],
  redirects: [{ from: "/portal", to: "/portal/login" }],
  screens: [
    { path: "/user/login", title: "登录", codes: [], kind: "public", load },
    { path: "/portal/login", title: "门户登录", codes: [], kind: "public", load },
    { path: "/system/OperationLog", title: "操作日志", codes: [68], kind: "page", load },
  ],
};
const at = (pathname: string, search = "") => ({ pathname, search });

test("only our own paths are taken as a redirect", () => {
  expect(ownPath("/system/OperationLog?page=2")).toBe("/system/OperationLog?page=2");
  for (const foreign of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "",
    null,
  ])
    expect(ownPath(foreign)).toBeUndefined();
  expect(ownPath("/user/login?redirect=/a")).toBeUndefined();
});

test("without a token the login page is told where to go on", () => {
  expect(entrance(house, at("/system/OperationLog", "?a=1"), false)).toEqual({
    go: "/user/login?redirect=%2Fsystem%2FOperationLog%3Fa%3D1",
  });
  expect(loginFor(HOME)).toBe("/user/login");
});

test("with a token the login page leads on", () => {
  expect(entrance(house, at("/user/login"), true)).toEqual({ go: HOME });
  expect(entrance(house, at("/user/login", "?redirect=%2Fsystem%2FOperationLog"), true)).toEqual({
    go: "/system/OperationLog",
  });
  expect(entrance(house, at("/user/login", "?redirect=https%3A%2F%2Fevil.example"), true)).toEqual({
    go: HOME,
  });
});

test("public pages open for everybody, redirects keep the query", () => {
  expect(entrance(house, at("/portal/login"), false)).toMatchObject({ screen: { title: "门户登录" } });
  expect(entrance(house, at("/portal/login"), true)).toMatchObject({ screen: { title: "门户登录" } });
  expect(entrance(house, at("/portal", "?ticket=x"), false)).toEqual({ go: "/portal/login?ticket=x" });
});

test("everything else is the shell's, and the root is the workbench", () => {
  expect(entrance(house, at("/nothing"), true)).toEqual({ shell: true });
  expect(entrance(house, at("/"), true)).toEqual({ go: HOME });
  expect(entrance(house, at("/404"), false)).toEqual({ lost: true });
});
