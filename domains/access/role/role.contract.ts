import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { recordCalls, callsAt } from "../../../platform/kernel/records.ts";

const path = "/system/api/v3/role";
const at = callsAt(path, "role");
const ofEnterprise = z.object({ enterpriseId: z.coerce.number().pipe(f.id).optional() });

export const roleRow = z.object({
  id: f.id,
  name: f.text("角色名称"),
  remark: f.text("备注"),
  people: f.number("员工数", { unit: "人" }),
  functions: f.number("功能数", { help: "动作与权限码的个数，页面和菜单随之开通" }),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});

export const listRoles = at.get("", "角色列表", "46.query", {
  query: pageQuery("name", "people", "functions", "updatedAt")
    .extend(ofEnterprise.shape)
    .extend({ keyword: filter.keyword("角色名称、备注") }),
  reply: pageReply(roleRow),
});

export const exportRoles = exportOf({
  type: "role",
  title: "角色",
  needs: "46.export",
  list: listRoles,
  filters: { enterpriseId: "企业编号" },
});

export const roleOptions = at.get("/roles", "角色选项", "login", {
  query: ofEnterprise.extend({
    ids: idList,
    keyword: z.string().trim().max(50).optional(),
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(z.object({ id: f.id, name: f.text("角色") })),
});
export const ROLES = {
  call: roleOptions,
  option: (r: { id: number; name: string }) => ({ value: r.id, label: r.name }),
};

const family = recordCalls({ path, code: 46, title: "角色", target: "role" });

export const getRole = family.get(
  roleRow.extend({
    /** Keys of the functions: 26.add, #2601. */
    keys: z.array(z.string()),
    holders: z.array(
      z.object({ operatorId: f.id, realName: f.person("员工"), departmentName: f.text("部门") }),
    ),
  }),
  { needs: ["46.get", "46.query"] },
);

const fields = {
  name: f.checked("角色名称", nameOf("角色名称"), { max: 30 }),
  remark: f.remark().default(""),
  keys: z.array(f.token(20)).max(3000).default([]).meta({ title: "功能", kind: "text" }),
};

export const addRole = family.add(z.object(fields));

/** Acts on the next call of everybody who holds the role. */
export const editRole = at.put("", "修改角色", "46.edit", {
  body: z.object({ id: f.id, ...fields, version: f.version }),
  reply: z.object({ id: f.id }),
});

export const deleteRole = at.delete("/:id", "删除角色", "46.delete", { reply: z.null() });
