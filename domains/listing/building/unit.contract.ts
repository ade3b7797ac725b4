import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { checked, id, number, text, version, whole } from "../../../platform/kernel/field.ts";
import { noSpecialCharacters } from "../../../platform/kernel/names.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { all, filled, lengthBetween } from "../../../platform/kernel/validators.ts";
import { recordCalls } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/unit";
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

const family = recordCalls({ path, code: 6, title: "单元", target: "unit" });

export const unit = family.get(z.object(facts));
export const addUnit = family.add(body);
export const editUnit = family.edit(body.omit({ buildingId: true }));
export const deleteUnit = family.delete();
