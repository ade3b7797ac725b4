import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { BLOCK_REASONS, PRICE_MODES, PRICE_UNITS, ROOM_KINDS } from "../room/words.rules.ts";
import { dayParam, KINDS_OF_DAY } from "../status/overview.contract.ts";
import { RENTING } from "../room/renting.rules.ts";
import { CONDITIONS, FLAGS, OCCUPANCIES } from "../status/status.rules.ts";

/** Why a chip reads as it does, with the record it comes from. */
const reason = z.object({
  text: z.string(),
  link: z
    .object({ kind: z.enum(["contract", "bill", "roomBlock", "examine"]), id: f.id, number: z.string() })
    .nullable(),
});
export type Reason = z.output<typeof reason>;

export const roomDetail = callsAt("/room/api/v3/roomStatus/detail").get(
  "/:roomId",
  "房间详情",
  ["3.get", "3.query", "6.get"],
  {
    target: "room",
    params: z.object({ roomId: z.coerce.number().pipe(f.id) }),
    query: z.object({ day: dayParam }),
    reply: z.object({
      id: f.id,
      day: z.string(),
      kindOfDay: z.enum(KINDS_OF_DAY),
      fullName: z.string(),
      name: z.string(),
      place: z.string(),
      villageId: f.id,
      villageName: z.string(),
      apartmentId: f.id,
      kind: f.status("类型", ROOM_KINDS),
      /** What is let itself; a flat that is divided and may also be let whole is not. */
      isLeaf: z.boolean(),
      productName: z.string().nullable(),
      layout: f.text("户型"),
      area: f.number("面积", { unit: "㎡" }),
      orientation: f.text("朝向"),
      capacity: f.number("可住人数", { unit: "人" }),
      facilities: z.array(z.string()),
      tags: z.array(z.string()),
      description: f.text("描述"),
      remark: f.text("备注"),
      minTermMonths: f.number("最短租期", { unit: "个月" }).nullable(),
      firstDay: f.day("可出租日期"),
      retiredDay: f.day("注销日").nullable(),
      priceMode: f.status("定价方式", PRICE_MODES),
      /** Kept off every listing channel. */
      publishHold: z.boolean(),
      version: f.version,
      listPriceFen: f.money("标价").nullable(),
      /** Only for holders of 601. */
      lowestPriceFen: f.money("底价").nullable(),
      priceUnit: f.status("计价单位", PRICE_UNITS).nullable(),
      pictures: z.array(f.id),
      /** Null of a room that is not in stock on that day, and of a flat that is let room by room. */
      occupancy: z.object({ value: f.status("入住", OCCUPANCIES), reason }).nullable(),
      condition: z.object({ value: f.status("状态", CONDITIONS), reason }).nullable(),
      flags: z.array(z.object({ value: f.status("标记", FLAGS), reason })),
      contract: z
        .object({
          id: f.id,
          number: f.link("合同"),
          kind: z.enum(RENTING),
          state: z.string(),
          partyId: f.id,
          partyKind: z.string(),
          partyName: f.person("租客"),
          phone: f.phone("手机"),
          start: f.day("开始"),
          end: f.day("结束"),
          handoverOn: f.day("入住日").nullable(),
          rentFen: f.money("月租金"),
          payText: f.text("付款方式"),
          depositFen: f.money("押金"),
          billedFen: f.money("应收"),
          receivedFen: f.money("已收"),
          arrearsFen: f.money("欠费"),
          nextDueOn: f.day("下期应收日").nullable(),
          nextDueFen: f.money("下期应收").nullable(),
          occupants: z.array(z.object({ name: z.string(), relation: z.string(), lockAccess: z.boolean() })),
        })
        .nullable(),
      next: z
        .object({
          kind: z.enum(["lease", "reservation"]),
          contractId: f.id.nullable(),
          contractKind: z.enum(RENTING).nullable(),
          number: z.string(),
          partyName: z.string(),
          from: z.string(),
          to: z.string().nullable(),
        })
        .nullable(),
      /** Who has the room reserved, today or later. */
      reservation: z
        .object({
          id: f.id,
          number: f.link("预订"),
          state: z.enum(["pending", "held"]),
          partyName: f.person("客户"),
          moveInDay: f.day("入住日"),
          holdUntil: f.day("保留至"),
          earnestKind: z.enum(["定金", "订金"]),
          /** A contract is being signed in its place. */
          signing: z.boolean(),
        })
        .nullable(),
      vacant: z
        .object({ since: f.day("空置自"), days: f.number("空置天数"), lossFen: f.money("空置损失") })
        .nullable(),
      block: z
        .object({
          id: f.id,
          number: z.string(),
          reason: f.status("封房原因", BLOCK_REASONS),
          from: z.string(),
          to: z.string().nullable(),
          note: z.string(),
          rooms: z.number().int(),
          version: f.version,
        })
        .nullable(),
      turnover: z.object({ id: f.id, openedDay: z.string(), note: z.string() }).nullable(),
      changedAt: f.instant("更新时间").nullable(),
    }),
  },
);
export type RoomDetail = z.output<typeof roomDetail.reply>;
