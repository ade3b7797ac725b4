import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { checked, id, number, text, version, versionInQuery, whole } from "../../../platform/kernel/field.ts";
import { noSpecialCharacters } from "../../../platform/kernel/names.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { all, filled, lengthBetween } from "../../../platform/kernel/validators.ts";

const path = "/room/api/v3/unit";
const one = z.object({ id: z.coerce.number().int().positive() });
const body = z.object({
  buildingId: id,
  name: checked("单元名", all(filled, lengthBetween(1, 10, "单元名长度为1到10个字"), noSpecialCharacters), {
    max: 10,
  }),
  sort: whole("排序", 0, 9999).default(0),
});

const facts = { id, buildingId: id, name: text("单元"), sort: number("排序"), version };

export const units = call({
  method: "GET",
  path,
  summary: "单元列表",
  needs: "6.query",
  query: pageQuery("name", "sort").extend({ buildingId: z.coerce.number().int().positive().optional() }),
  reply: pageReply(z.object({ ...facts, buildingName: text("楼栋"), apartments: number("房源") })),
});

export const unit = call({
  method: "GET",
  path: `${path}/:id`,
  summary: "单元详情",
  needs: "6.get",
  params: one,
  reply: z.object(facts),
});

export const addUnit = call({
  method: "POST",
  path,
  summary: "新增单元",
  needs: "6.add",
  target: "unit",
  body,
  reply: z.object({ id }),
});

export const editUnit = call({
  method: "PUT",
  path: `${path}/:id`,
  summary: "修改单元",
  needs: "6.edit",
  target: "unit",
  params: one,
  body: body.omit({ buildingId: true }).extend({ version }),
  reply: z.object({ id }),
});

export const deleteUnit = call({
  method: "DELETE",
  path: `${path}/:id`,
  summary: "删除单元",
  needs: "6.delete",
  target: "unit",
  params: one,
  query: z.object({ version: versionInQuery }),
  reply: z.null(),
});
