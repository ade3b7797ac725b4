import { z } from "zod";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { processInput, processShown } from "./process.contract.ts";
import { ENABLED } from "../examine/condition.rules.ts";
import { oneRecord, recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { actField } from "../examine/examine.contract.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";

const base = "/system/api/v4/module";
const at = callsAt(base, "module");

export const moduleId = oneRecord;

const done = z.object({ id: f.id, version: z.number().int() });

const row = z.object({
  id: f.id,
  moduleType: z.string(),
  typeName: f.text("类型"),
  name: f.link("名称"),
  villageCount: f.number("覆盖门店"),
  /** Of the reader's own stores. */
  villageIds: z.array(f.id),
  processCount: f.number("流程数"),
  enabled: f.status("启用", ENABLED),
  /** Acts of its type that wait in these. */
  open: f.number("待审"),
  /** Hours from submission to decision, over what was decided; null when nothing was. */
  meanHours: f.number("平均用时", { unit: "小时" }).nullable(),
  updatedBy: f.person("更新人"),
  updatedAt: f.instant("更新时间"),
  /** Villages in the operator's scope are all of its villages: only then it can be changed. */
  editable: z.boolean(),
  version: z.number().int(),
});

export type ModuleRow = z.output<typeof row>;

export const listModules = at.get("", "审批配置列表", "49.query", {
  query: pageQuery("type", "name").extend({
    /** The words are what domains have registered. */
    moduleType: filter.by(z.string().max(50).optional(), { kind: "choice", title: "类型", words: {} }),
    villageIds: filter.villages(),
    enabled: filter.choice("状态", ENABLED),
  }),
  reply: pageReply(row),
});

export const moduleDetail = row.extend({
  fallbackOperatorId: f.id,
  fallback: f.person("兜底审批人"),
  villages: z.array(z.object({ id: f.id, name: z.string() })),
  fields: z.array(actField),
  processes: z.array(processShown),
});

export type ModuleDetail = z.output<typeof moduleDetail>;

const family = recordCalls({ path: base, code: 49, title: "审批配置", target: "module" });

export const getModule = family.get(moduleDetail, { needs: ["49.get", "49.query"] });

const villageIds = z
  .array(f.id, { error: "请选择门店" })
  .min(1, "请选择门店")
  .max(2000)
  .meta({ title: "门店", kind: "text" });

const processes = z.array(processInput).min(1, "请至少设置默认流程").max(20, "最多20个流程");

export const addModule = family.add(
  z.object({
    moduleType: f.token(50, "请选择类型").min(1, "请选择类型").meta({ title: "类型", kind: "text" }),
    name: f.input("名称", 2, 30),
    villageIds,
    fallbackOperatorId: f.pick("兜底审批人"),
    processes,
  }),
  { reply: done },
);

export type AddModule = z.output<typeof addModule.body>;

export const editModule = at.put("/:id", "修改审批配置", "49.edit", {
  params: moduleId,
  body: z.object({
    name: f.input("名称", 2, 30).optional(),
    fallbackOperatorId: f.pick("兜底审批人").optional(),
    version: f.version,
  }),
  reply: done,
});

/** The whole of it: name, fallback approver, and all processes with their nodes. */
export const updateModule = at.put("/:id/update", "修改审批流程", "49.edit", {
  params: moduleId,
  body: z.object({
    name: f.input("名称", 2, 30),
    fallbackOperatorId: f.pick("兜底审批人"),
    processes,
    version: f.version,
  }),
  reply: done,
});

export const updateVillages = at.put("/:id/updateVillage", "设置审批门店", "49.edit", {
  params: moduleId,
  body: z.object({ villageIds, version: f.version }),
  reply: done,
});

/** Every village in scope; those of other modules of the type are named after them and cannot be taken. */
export const configurableVillages = at.get(
  "/:moduleType/configurable/village",
  "可配置审批的门店",
  ["49.add", "49.edit", "49.query"],
  {
    params: z.object({ moduleType: z.string().max(50) }),
    query: z.object({ moduleId: z.coerce.number().pipe(f.id).optional() }),
    reply: z.array(z.object({ id: f.id, name: z.string(), takenBy: z.string().nullable() })),
  },
);

export const enableModule = family.enable({ reply: done });

export const disableModule = family.disable({ reply: done });

export const removeModule = at.delete("/:id", "删除审批配置", "49.delete", {
  params: moduleId,
  reply: z.object({ id: f.id }),
});

/** Who can be named in a node: people of the enterprise, and its roles. */
export const nodeRoles = at.get("/roles", "审批节点可选角色", ["49.query", "49.add", "49.edit"], {
  reply: z.array(z.object({ id: f.id, name: z.string(), people: z.number().int() })),
});

/** 试算: which way values would take in a village, and whom it would ask. */
export const trialModule = at.post("/trial", "试算审批流程", ["49.query", "49.get"], {
  effect: "read",
  body: z.object({
    moduleType: f.token(50, "请选择类型").min(1, "请选择类型"),
    villageId: f.pick("门店"),
    values: z.record(z.string().max(40), z.number()),
  }),
  reply: z.object({
    moduleId: f.id.nullable(),
    moduleName: z.string(),
    /** Which of the module's processes, from 0; null when the act is done at once. */
    process: z.number().int().nullable(),
    processName: z.string(),
    condition: z.string(),
    nodes: z.array(
      z.object({
        name: z.string(),
        mode: z.enum(["any", "all"]),
        who: z.string(),
        people: z.array(z.string()),
      }),
    ),
  }),
});
