import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
const batches = callsAt("/system/api/v3/operator/batch", "operator");
const MOST = "一次最多500人";
const ids = f.ids().min(1, "请选择员工").max(500, MOST);
const assignment = z.object({ departmentId: f.pick("部门"), roleId: f.pick("角色") });

/** One of three changes for many people at once: other villages, other roles, or everything that somebody else has. */
const body = z
  .object({
    ids,
    kind: z.enum(["villages", "roles", "copy"]),
    addVillages: z.array(f.id).max(2000).default([]),
    removeVillages: z.array(f.id).max(2000).default([]),
    addRoles: z.array(assignment).max(20).default([]),
    /** Roles to take away, in whatever department. */
    removeRoles: z.array(f.id).max(50).default([]),
    fromId: f.pick("来源员工").optional(),
  })
  .refine((b) => b.kind !== "copy" || b.fromId !== undefined, { path: ["fromId"], message: "请选择来源员工" })
  .refine((b) => b.kind !== "villages" || b.addVillages.length + b.removeVillages.length > 0, {
    path: ["addVillages"],
    message: "请选择要增加或移除的门店",
  })
  .refine((b) => b.kind !== "roles" || b.addRoles.length + b.removeRoles.length > 0, {
    path: ["addRoles"],
    message: "请选择要增加或移除的角色",
  });
export type BatchBody = z.output<typeof body>;

const outcome = z.array(
  z.object({
    id: f.id,
    realName: f.person("员工"),
    account: f.text("账号"),
    /** In words: what the person has more and less afterwards. */
    gains: z.array(z.string()),
    loses: z.array(z.string()),
    /** Why nothing changes for this person. */
    why: z.string().nullable(),
  }),
);
export type BatchOutcome = z.output<typeof outcome>;

export const previewBatch = batches.post("/preview", "预览批量调整员工权限", "46.edit", {
  beyondVillages: true,
  effect: "read",
  body,
  reply: outcome,
});

/** Changes whoever can be changed, and says of the others why not. */
export const changeBatch = batches.put("", "批量调整员工权限", "46.edit", {
  beyondVillages: true,
  body,
  reply: outcome,
});
