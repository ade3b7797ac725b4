import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { id, number, remark, text, version, whole } from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { recordCalls } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/floor";
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

const family = recordCalls({ path, code: 6, title: "楼层", target: "floor" });

export const floor = family.get(z.object(facts));
export const addFloor = family.add(body);
export const editFloor = family.edit(body.omit({ buildingId: true, unitId: true }));
export const deleteFloor = family.delete();
