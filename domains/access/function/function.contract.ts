import { z } from "zod";
import { ACTIONS } from "../../../platform/kernel/call.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { freeText, notOnlyDigits } from "../../../platform/kernel/texts/names.ts";
import { all, filled, lengthBetween } from "../../../platform/kernel/validators.ts";
import { ACTION_CHOICE, LEVEL_WORDS, MENU_ICONS, NODE_STATES } from "./menu.rules.ts";

const path = "/system/api/v3/function";
const at = callsAt(path, "function");
const id = z.coerce.number().pipe(f.id);
const CODE = "请输入1到999999之间的整数";
const LINK = "请输入以 http:// 或 https:// 开头的地址";

const node = z.object({
  id: f.id,
  key: z.string(),
  parentKey: z.string().nullable(),
  name: f.text("名称"),
  level: f.status("层级", LEVEL_WORDS),
  permissionId: f.number("权限编码"),
  path: f.text("路径").nullable(),
  icon: f.text("图标"),
  action: z.enum(ACTIONS).nullable(),
  orderNum: f.number("排序"),
  hidden: f.flag("隐藏"),
  state: f.status("状态", NODE_STATES),
  builtIn: f.flag("系统内置"),
  roles: f.number("使用角色数"),
  remark: f.text("备注"),
  version: f.version,
});

/** The whole tree, parents before children, in the order of the menus. With a filter: what matches, and what stands above it. */
export const listFunctions = at.get("", "功能列表", ["56.query", "46.query"], {
  query: z.object({
    level: filter.by(z.enum(["1", "2", "3"]).optional(), {
      kind: "choice",
      title: "层级",
      words: LEVEL_WORDS,
    }),
    state: filter.choice("状态", NODE_STATES),
    keyword: filter.keyword("名称、权限编码、路径"),
  }),
  reply: z.array(node.extend({ matches: z.boolean() })),
});

export const ownFunctions = at.get("/operator", "当前员工的功能", "login", {
  reply: z.array(z.object({ key: z.string(), permissionId: z.number().int(), name: f.text("名称") })),
});

export const getFunction = at.get("/edit/:id", "功能详情", ["56.get", "56.query"], {
  params: z.object({ id }),
  reply: node,
});

const name = f.checked(
  "名称",
  all(filled, lengthBetween(2, 20, "名称长度为2到20个字"), freeText, notOnlyDigits),
  { max: 20 },
);
const order = f.whole("排序", 0, 9999);
const icon = z
  .union([z.literal(""), z.enum(Object.keys(MENU_ICONS) as (keyof typeof MENU_ICONS)[])])
  .default("")
  .meta({ title: "图标", kind: "status", words: MENU_ICONS });
const link = z
  .string({ error: LINK })
  .trim()
  .max(300, LINK)
  .regex(/^https?:\/\/[^\s<>"']+$/, LINK)
  .meta({ title: "链接地址", kind: "text", max: 300 });

/** A link to elsewhere (level 2), or an action or authority code below a page (level 3). */
export const addFunction = at.post("", "新增功能", "56.add", {
  body: z
    .object({
      level: f.choice("层级", { 2: ["外部链接", "cyan"], 3: ["操作或权限码", "grey"] }),
      parentId: f.pick("上级"),
      name,
      permissionId: z
        .number({ error: CODE })
        .int(CODE)
        .min(1, CODE)
        .max(999_999, CODE)
        .optional()
        .meta({ title: "权限编码", kind: "number" }),
      action: f.choice("动作", ACTION_CHOICE).nullish(),
      path: link.optional(),
      orderNum: order.optional(),
      remark: f.remark().default(""),
    })
    .refine((b) => b.permissionId !== undefined || (b.level === "3" && b.action), {
      path: ["permissionId"],
      message: CODE,
    })
    .refine((b) => b.level !== "2" || b.path, { path: ["path"], message: LINK }),
  reply: z.object({ id: f.id }),
});

/** Path and code of what came with a release stay as they are. */
export const editFunction = at.put("", "修改功能", "56.edit", {
  body: z.object({
    id: f.id,
    name,
    icon,
    orderNum: order,
    hidden: f.flag("隐藏"),
    path: link.nullish(),
    remark: f.remark().default(""),
    version: f.version,
  }),
  reply: z.object({ id: f.id }),
});

export const deleteFunction = at.delete("", "删除功能", "56.delete", {
  query: z.object({ id, version: z.coerce.number().pipe(f.version) }),
  reply: z.object({ id: f.id }),
});

/** One place up or down among the functions beside it. */
export const moveFunction = at.put("/:id/move", "调整功能顺序", "56.edit", {
  params: z.object({ id }),
  body: z.object({ by: z.union([z.literal(-1), z.literal(1)]) }),
  reply: z.object({ id: f.id }),
});

const switched = (to: "enable" | "disable", summary: string) =>
  at.put(`/:id/${to}`, summary, `56.${to}`, {
    params: z.object({ id }),
    body: z.object({ version: f.version }),
    reply: z.object({ id: f.id }),
  });
export const enableFunction = switched("enable", "启用功能");
/** Takes it, and what stands below it, from everybody at their next call. */
export const disableFunction = switched("disable", "停用功能");
