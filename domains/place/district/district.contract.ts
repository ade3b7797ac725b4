import { z } from "zod";
import type { Source } from "../../../platform/kernel/filter.ts";
import { checked, choice, id, number, text, version, whole } from "../../../platform/kernel/field.ts";
import { all, filled, lengthBetween, matches } from "../../../platform/kernel/validators.ts";
import { noSpecialCharacters } from "../../../platform/kernel/texts/names.ts";
import { DISTRICT_LEVELS } from "./district.rules.ts";
import { recordCalls, callsAt } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/housingDistrict";

const body = z.object({
  name: checked(
    "区域名称",
    all(filled, lengthBetween(1, 20, "区域名称长度为1到20个字"), noSpecialCharacters),
    { max: 20 },
  ),
  parentId: id.nullish(),
  level: choice("级别", DISTRICT_LEVELS),
  adCode: checked("行政区划代码", matches(/^(\d{6})?$/, "行政区划代码为6位数字"), { max: 6 }).default(""),
  sort: whole("排序", 0, 9999).default(0),
  enabled: z.boolean().default(true),
});

/** All districts of the enterprise, parents before children, in order. */
export const districts = callsAt(path).get("", "区域", "login", {
  reply: z.array(
    z.object({
      id,
      parentId: id.nullable(),
      name: text("区域名称"),
      level: choice("级别", DISTRICT_LEVELS),
      adCode: text("行政区划代码"),
      sort: number("排序"),
      enabled: z.boolean(),
      villages: number("门店"),
      version,
    }),
  ),
});

const family = recordCalls({ path, code: 6, title: "区域", target: "district" });

export const addDistrict = family.add(body);
export const editDistrict = family.edit(body);
export const deleteDistrict = family.delete();

export const DISTRICTS: Source = {
  call: districts,
  option: (d: { id: number; name: string }) => ({ value: d.id, label: d.name }),
};
