import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { CONDITIONS, OCCUPANCIES } from "../../listing/status/status.rules.ts";
import { inOrder, MOST_MONTHS } from "./overview.rules.ts";
import { EMPTY_KEYS, END_KEYS, MOVE_KEYS } from "./records.rules.ts";

const BASE = "/report/api/v3/overview";
const day = f.dayInput("日期");
const span = { villageIds: idList, from: day, to: day, asOf: day.optional() };
const WRONG = { error: `请选择不超过 ${MOST_MONTHS} 个月的期间`, path: ["to"] };

const place = { id: f.id, fullName: f.room("房间"), villageName: f.text("门店") };
const lease = {
  contractId: f.id.nullable(),
  contractNo: f.link("合同号").nullable(),
  kind: z.enum(["renter", "company", "merchant"]).nullable(),
  /** Only the first character for who may not see tenants. */
  partyName: f.person("客户").nullable(),
  startDate: f.day("起租日").nullable(),
  endDate: f.day("到期日").nullable(),
  rent: f.money("月租金").nullable(),
};

/** Rooms that make a bar of the picture of let rooms; as many as it says. */
export const overviewMoved = call({
  method: "GET",
  path: `${BASE}/moved`,
  summary: "在租变动明细",
  needs: "139.query",
  query: pageQuery("fullName")
    .extend({ ...span, part: z.enum(MOVE_KEYS) })
    .refine(inOrder, WRONG),
  reply: pageReply(z.object({ ...place, ...lease })),
});

/** Rooms that could be let and are not: all, of one reason, or of one class of days. */
export const overviewEmpty = call({
  method: "GET",
  path: `${BASE}/empty`,
  summary: "空置明细",
  needs: "139.query",
  query: pageQuery("fullName", "days").extend({
    villageIds: idList,
    asOf: day.optional(),
    why: z.enum(EMPTY_KEYS).optional(),
    daysFrom: z.coerce.number().int().min(0).max(100_000).optional(),
    daysTo: z.coerce.number().int().min(0).max(100_000).optional(),
  }),
  reply: pageReply(
    z.object({
      ...place,
      occupancy: f.status("入住状态", OCCUPANCIES),
      condition: f.status("房态", CONDITIONS),
      days: f.number("空置天数", { unit: "天" }),
      listPrice: f.money("标价").nullable(),
    }),
  ),
});

/** Contracts of every kind that end in a period. */
export const overviewEnding = call({
  method: "GET",
  path: `${BASE}/ending`,
  summary: "到期合同明细",
  needs: "139.query",
  query: pageQuery("endDate")
    .extend({ ...span, part: z.enum(END_KEYS).default("all") })
    .refine(inOrder, WRONG),
  reply: pageReply(
    z.object({
      id: f.id,
      contractNo: f.link("合同号"),
      kind: z.enum(["renter", "company", "merchant"]),
      villageName: f.text("门店"),
      roomNames: f.room("房间"),
      partyName: f.person("客户"),
      endDate: f.day("到期日"),
      rent: f.money("月租金").nullable(),
      renewed: f.flag("已续租"),
    }),
  ),
});
