import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { CHANNELS } from "../account/channel.rules.ts";

const shifts = callsAt("/billing/api/v3/cashShift", "cashShift");
const villageId = z.coerce.number().pipe(f.id);

export const shiftRow = z.object({
  id: f.id,
  villageName: f.text("门店"),
  accountName: f.text("现金箱"),
  openedAt: f.instant("开班时间"),
  opener: f.person("交班人"),
  openingCounted: f.money("开班实点"),
  openingBooked: f.money("开班账面"),
  closedAt: f.instant("交班时间").nullable(),
  closer: f.person("交班登记").nullable(),
  closingCounted: f.money("交班实点").nullable(),
  closingBooked: f.money("交班账面").nullable(),
  diff: f.money("差额", { help: "交班实点减账面" }).nullable(),
  taker: f.person("接班人").nullable(),
  version: f.version,
});

/** Shifts of cash boxes, the latest first. */
export const listShifts = shifts.get("", "交接班列表", "102.query", {
  query: pageQuery("openedAt").extend({
    villageIds: filter.villages(),
    ...filter.between("from", "to", f.dayInput("日期").optional(), { kind: "days", title: "开班日期" }),
  }),
  reply: pageReply(shiftRow),
});

/** The cash boxes of a store: what the books say is in each, and the shift that is open. */
export const cashBoxes = shifts.get("/boxes", "门店现金箱", "102.add", {
  query: z.object({ villageId }),
  reply: z.array(
    z.object({
      id: f.id,
      name: f.text("现金箱"),
      booked: f.money("账面现金"),
      shift: z
        .object({
          id: f.id,
          openedAt: f.instant("开班时间"),
          opener: f.person("当班人"),
          /** Of a box that several stores share it may be another one. */
          villageId: f.id,
          villageName: f.text("门店"),
          openingCounted: f.money("开班实点"),
          version: f.version,
        })
        .nullable(),
    }),
  ),
});

/** Who can take a cash box over: people who book money in the store. */
export const shiftTakers = shifts.get("/takers", "接班人选项", "102.add", {
  query: z.object({ villageId, keyword: z.string().trim().max(50).optional(), ids: idList }),
  reply: z.array(z.object({ id: f.id, name: f.person("接班人") })),
});
export const takersOf = (village: number): Source => ({
  call: shiftTakers,
  query: { villageId: village },
  option: (row: { id: number; name: string }) => ({ value: row.id, label: row.name }),
});

const counted = {
  counted: f.amount("实点现金", 0),
  /** What the books said as it was counted: another sum is shown anew first. */
  booked: z.number().int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
  note: f.remark("差额说明").default(""),
};

export const openShift = shifts.post("", "开班", "102.add", {
  body: z.object({ villageId: f.pick("门店"), merchantAccountId: f.pick("现金箱"), ...counted }),
  reply: z.object({ id: f.id }),
});

export const closeShift = shifts.put("/:id/close", "交班", "102.add", {
  body: z.object({ ...counted, takerId: f.pick("接班人").optional(), version: f.version }),
  reply: z.object({ id: f.id }),
});

/** A shift as it is printed: takings by channel, and what moved the cash. */
export const getShift = shifts.get("/:id", "交接班单", "102.get", {
  reply: shiftRow.extend({
    openingNote: f.text("开班说明"),
    closingNote: f.text("交班说明"),
    channels: z.array(
      z.object({
        channel: f.status("渠道", CHANNELS),
        count: f.number("笔数", { unit: "笔" }),
        amount: f.money("金额"),
      }),
    ),
    moves: z.array(z.object({ name: f.text("事项"), amount: f.money("金额") })),
  }),
});
