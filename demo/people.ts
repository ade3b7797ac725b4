import { storedForm } from "../domains/access/session/password.service.ts";
import { ACTIONS } from "../platform/kernel/call.ts";
import { PAGE_FUNCTIONS } from "../domains/access/function/pages.rules.ts";
import { AUTHORITIES } from "../domains/access/function/authorities.rules.ts";

/** Everybody in the demo company has this password; the demo listens on this machine only. */
export const DEMO_PASSWORD = "demo2026";

type Post = {
  account: string;
  name: string;
  post: string;
  superType: string;
  villages: "all" | readonly number[];
  role: string;
};

/** The people of the company. Villages by their place in the list of stores. */
export const POSTS: readonly Post[] = [
  { account: "admin2026", name: "周敏", post: "平台管理员", superType: "0", villages: "all", role: "" },
  { account: "qinghe01", name: "许承锦", post: "企业管理员", superType: "1", villages: "all", role: "" },
  { account: "dianzhang01", name: "陈嘉禾", post: "店长", superType: "", villages: [0, 1, 2], role: "店长" },
  { account: "dianzhang02", name: "罗佳宁", post: "店长", superType: "", villages: [3, 4], role: "店长" },
  {
    account: "zulin01",
    name: "赵思源",
    post: "租赁顾问",
    superType: "",
    villages: [0, 1, 2],
    role: "租赁顾问",
  },
  { account: "chuna01", name: "胡俊杰", post: "出纳", superType: "", villages: [0, 1, 2], role: "出纳" },
  { account: "caiwu01", name: "郭晓东", post: "财务主管", superType: "", villages: "all", role: "财务主管" },
  { account: "shenji01", name: "韩雪", post: "审计", superType: "", villages: "all", role: "只读审计" },
];

const pages = PAGE_FUNCTIONS.filter(([code, parent]) => parent || code === 1).map(([code]) => code);
const whole = (...codes: number[]) => codes.flatMap((code) => ACTIONS.map((action) => `${code}.${action}`));
const look = (...codes: number[]) =>
  codes.flatMap((code) => [`${code}.query`, `${code}.get`, `${code}.export`]);
const fine = (...prefixes: number[]) =>
  AUTHORITIES.filter(([code]) => prefixes.includes(Math.floor(code / 100))).map(([code]) => `#${code}`);

export const ROLES: Record<string, string[]> = {
  店长: [
    ...whole(1, 3, 4, 6, 9, 11, 15, 16, 18, 26, 72, 73, 96, 102, 106, 107, 108, 113, 226, 236),
    "170.query",
    "170.add",
    "#17001",
    ...whole(112),
    ...look(23, 97, 99, 114, 68, 139, 257),
    "97.add",
    ...fine(6, 9, 11, 15, 16, 18, 26, 72, 73, 96, 102, 106, 107, 113, 226, 236),
  ],
  租赁顾问: [
    ...whole(1, 9, 11, 15, 16, 72, 73, 96, 106, 107, 113, 236),
    ...look(3, 6, 26),
    ...["3.edit", "#901", "#1101", "#10701"],
  ],
  出纳: [
    ...look(1, 3, 9, 11, 16, 26, 99, 106, 107, 113, 114, 257),
    ...whole(102, 112, 244),
    ...look(23),
    "#10201",
    "#10203",
    "#24401",
  ],
  财务主管: [
    ...whole(1, 25, 26, 28, 97, 101, 102, 108, 112, 136, 200, 244, 99, 114, 252, 257),
    ...look(23, 65, 3, 6, 9, 11, 16, 68, 106, 107, 113),
    ...fine(25, 26, 28, 97, 102, 112, 200, 244, 65),
    "#10101",
  ],
  只读审计: look(...pages),
};

/** Hashing is slow on purpose: all of them share one hash. */
export const demoHash = () => storedForm(DEMO_PASSWORD);
