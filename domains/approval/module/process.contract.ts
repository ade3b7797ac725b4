import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { MODES } from "../examine/engine.rules.ts";
import { BY, OPS, type Op } from "../examine/condition.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const at = callsAt("/system/api/v4/module/process", "module");

const VALUE = "请输入条件值";
const figure = z.number({ error: VALUE }).min(0, VALUE).max(9_999_999_999, "数值过大");

/** Fen where the field is money, percent and counts as they read, 1 and 0 for yes and no; a list where the op is 'in'. */
const condition = z
  .object({
    field: f.token(40, "请选择条件字段").min(1, "请选择条件字段"),
    op: z.enum(Object.keys(OPS) as [Op, ...Op[]], { error: "请选择比较方式" }),
    value: z.union([figure, z.array(figure).min(1, VALUE).max(20)], { error: VALUE }),
  })
  .refine((c) => Array.isArray(c.value) === (c.op === "in"), { error: VALUE, path: ["value"] });

export const nodeInput = z
  .object({
    name: f.input("节点名称", 2, 30),
    by: f.choice("审批人", BY),
    operatorIds: z.array(f.id).max(20, "最多20人").default([]),
    roleId: f.pick("角色").nullable().default(null),
    mode: f.choice("通过方式", MODES),
    remindHours: f.whole("提醒", 0, 168, { unit: "小时" }).default(0),
  })
  .refine((n) => n.by !== "operators" || n.operatorIds.length > 0, {
    error: "请选择审批人",
    path: ["operatorIds"],
  })
  .refine((n) => n.by !== "role" || n.roleId !== null, { error: "请选择角色", path: ["roleId"] });
export type NodeInput = z.output<typeof nodeInput>;

/** The default process stands last, has no condition, and may be without nodes: then nothing needs approval. */
export const processInput = z.object({
  name: f.input("流程名称", 2, 30),
  conditions: z.array(condition).max(8, "最多8个条件").default([]),
  nodes: z.array(nodeInput).max(10, "最多10个节点").default([]),
});
export type ProcessInput = z.output<typeof processInput>;

export const processShown = z.object({
  id: f.id,
  name: z.string(),
  isDefault: z.boolean(),
  conditions: z.array(condition),
  condition: z.string(),
  nodes: z.array(
    z.object({
      id: f.id,
      name: z.string(),
      by: z.enum(["operators", "role", "manager"]),
      operatorIds: z.array(f.id),
      roleId: f.id.nullable(),
      mode: z.enum(["any", "all"]),
      remindHours: z.number().int(),
      /** 店长, the role's name, or 按人员. */
      who: z.string(),
      people: z.array(z.object({ name: z.string(), active: z.boolean() })),
    }),
  ),
});
export type ProcessShown = z.output<typeof processShown>;

/** The module's version after the change. */
const done = z.object({ id: f.id, version: z.number().int() });

/** Stands before the default process, after the others. */
export const addProcess = at.post("/add", "新增审批流程", "49.edit", {
  body: processInput.extend({ moduleId: f.pick("审批配置"), version: f.version }),
  reply: done,
});

export const removeProcess = at.delete("/:id/delete", "删除审批流程", "49.edit", { reply: done });

export const editNode = callsAt("/system/api/v3/moduleNode", "module").post(
  "/:id/edit",
  "修改审批节点",
  "49.edit",
  {
    body: nodeInput.safeExtend({ version: f.version }),
    reply: done,
  },
);
