import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { id, number, remark, text, version, versionInQuery, whole } from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";

const path = "/room/api/v3/floor";
const one = z.object({ id: z.coerce.number().int().positive() });
const body = z.object({
  buildingId: id,
  unitId: id.nullish(),
  number: whole("楼层号", -10, 99).refine((n) => n !== 0, "楼层号不能为0"),
  /** Empty: 3F, B1. */
  name: remark("楼层名", 10).default(""),
  planFileId: id.nullish().meta({ title: "平面图", kind: "file" }),
});

const facts = {
  id,
  buildingId: id,
  unitId: id.nullable(),
  number: number("楼层号"),
  name: text("楼层"),
  planFileId: id.nullable(),
  version,
};

export const floors = call({
  method: "GET",
  path,
  summary: "楼层列表",
  needs: "6.query",
  query: pageQuery("number").extend({
    buildingId: z.coerce.number().int().positive().optional(),
    unitId: z.coerce.number().int().positive().optional(),
  }),
  reply: pageReply(z.object({ ...facts, apartments: number("房源") })),
});

export const floor = call({
  method: "GET",
  path: `${path}/:id`,
  summary: "楼层详情",
  needs: "6.get",
  params: one,
  reply: z.object(facts),
});

export const addFloor = call({
  method: "POST",
  path,
  summary: "新增楼层",
  needs: "6.add",
  target: "floor",
  body,
  reply: z.object({ id }),
});

export const editFloor = call({
  method: "PUT",
  path: `${path}/:id`,
  summary: "修改楼层",
  needs: "6.edit",
  target: "floor",
  params: one,
  body: body.omit({ buildingId: true, unitId: true }).extend({ version }),
  reply: z.object({ id }),
});

export const deleteFloor = call({
  method: "DELETE",
  path: `${path}/:id`,
  summary: "删除楼层",
  needs: "6.delete",
  target: "floor",
  params: one,
  query: z.object({ version: versionInQuery }),
  reply: z.null(),
});
