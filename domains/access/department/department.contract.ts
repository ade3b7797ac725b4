import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { recordCalls, callsAt } from "../../../platform/kernel/records.ts";

const path = "/system/api/v3/orgDepartment";
const at = callsAt(path, "department");

/** Only who runs the platform may name another enterprise than their own. */
const ofEnterprise = z.object({ enterpriseId: z.coerce.number().pipe(f.id).optional() });

const row = z.object({
  id: f.id,
  name: f.text("部门"),
  parentId: f.id.nullable(),
  leaderId: f.id.nullable(),
  leaderName: f.person("负责人"),
  orderNum: f.number("排序"),
  /** In the department itself. */
  people: f.number("员工数"),
  version: f.version,
});

export const departmentRow = row.extend({ parentName: f.text("上级部门") });

/** The tree in reading order: each department is followed by those below it. */
export const departmentMenu = at.get("/menu", "部门树", "login", {
  query: ofEnterprise,
  reply: z.array(
    row.extend({
      depth: z.number().int(),
      /** With all departments below; somebody in two of them counts once. */
      peopleBelow: f.number("员工数（含下级）"),
    }),
  ),
});

export const listDepartments = at.get("/list", "部门列表", "login", {
  query: pageQuery("name", "orderNum")
    .extend(ofEnterprise.shape)
    .extend({ ids: idList, keyword: z.string().trim().max(50).optional() }),
  reply: pageReply(departmentRow),
});

const family = recordCalls({ path, code: 46, title: "部门", target: "department" });

export const getDepartment = family.get(row, { needs: ["46.get", "46.query"] });

const body = z.object({
  name: f.checked("部门名称", nameOf("部门名称"), { max: 30 }),
  parentId: f.pick("上级部门").nullish(),
  leaderId: f.pick("负责人").nullish(),
  orderNum: f.whole("排序", 0, 9999).default(0),
});
export type DepartmentBody = z.output<typeof body>;

export const addDepartment = family.add(body);
export const editDepartment = family.edit(body);

export const deleteDepartment = at.delete("/deleteStatus/:id", "删除部门", "46.delete", { reply: z.null() });
