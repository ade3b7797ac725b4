import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { PRICE_UNITS } from "../../listing/room/words.rules.ts";
import { CHOICES } from "../choice/choice.rules.ts";
import { ownedBy } from "../lead/lead.contract.ts";
import { EARNEST_KINDS, PAY_PLANS, RESERVATION_STATES } from "./reservation.rules.ts";

export const RESERVATIONS = "/customer/api/v3/reservation";
const reservations = callsAt(RESERVATIONS, "reservation");

export const reservationId = oneRecord;
const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];

export const reservationRow = z.object({
  id: f.id,
  number: f.link("编号"),
  partyId: f.id,
  partyName: f.person("客户"),
  partyKind: f.status("客户类型", CHOICES),
  phone: f.phone("电话"),
  villageId: f.id,
  villageName: f.text("门店"),
  roomId: f.id,
  roomName: f.room("房间"),
  moveInDay: f.day("入住日"),
  plannedEndDay: f.day("预计到期").nullable(),
  holdUntil: f.day("保留至"),
  rent: f.money("租金"),
  unit: f.status("计价单位", PRICE_UNITS),
  earnestKind: f.status("类别", EARNEST_KINDS),
  earnest: f.money("定金"),
  received: f.money("已收"),
  state: f.status("状态", RESERVATION_STATES),
  ownerId: f.id,
  ownerName: f.person("负责人"),
  contractId: f.id.nullable(),
  refundId: f.id.nullable(),
  contractNo: f.link("合同"),
  createdAt: f.instant("登记时间"),
  /** What is held of the earnest money now. */
  held: f.money("在管定金"),
  /** A contract that was handed in stands in its place. */
  signing: z.boolean(),
  /** Waits for approval. */
  frozen: z.boolean(),
  version: f.version,
});

const TODAY = { "1": ["今日入住或到期", "orange"] } as const;
const KEPT = { "1": ["定金待处理", "red"] } as const;
const movesIn = { kind: "days", title: "入住日", from: "moveInFrom", to: "moveInTo" } as const;
const held = { kind: "days", title: "保留至", from: "holdFrom", to: "holdTo" } as const;
export const reservationFilter = z.object({
  villageIds: filter.villages(),
  state: wordList(words(RESERVATION_STATES)),
  earnestKind: filter.choice("类别", EARNEST_KINDS),
  ownerId: ownedBy,
  moveInFrom: filter.by(f.dayInput("入住日起").optional(), movesIn),
  moveInTo: filter.by(f.dayInput("入住日止").optional(), movesIn),
  holdFrom: filter.by(f.dayInput("保留至起").optional(), held),
  holdTo: filter.by(f.dayInput("保留至止").optional(), held),
  leadId: z.coerce.number().pipe(f.id).optional(),
  /** Those that begin or end today and still stand. */
  today: filter.by(z.literal("1").optional(), { kind: "choice", title: "今日", words: TODAY }),
  /** Those that lapsed with their money still held. */
  kept: filter.by(z.literal("1").optional(), { kind: "choice", title: "过期", words: KEPT }),
  partyKind: filter.choices("客户类型", CHOICES),
  keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
    kind: "keyword",
    title: "编号、客户、手机号、房间",
  }),
});
export type ReservationFilter = z.output<typeof reservationFilter>;

export const listReservations = reservations.get("", "预订列表", "15.query", {
  query: pageQuery("holdUntil", "moveInDay", "createdAt").extend(reservationFilter.shape),
  reply: pageReply(reservationRow, z.object({ earnest: f.money("定金"), received: f.money("已收") })),
});

export const countReservations = reservations.get("/counts", "预订各状态数量", "15.query", {
  query: reservationFilter.omit({ state: true }),
  reply: z.record(z.string(), z.number()),
});

export const exportReservations = exportOf({
  type: "reservation",
  title: "预订",
  needs: "15.export",
  list: listReservations,
  personal: true,
  filters: { leadId: "客源" },
});

/** What a store's form begins with. */
export const reservationRules = reservations.get("/rules", "门店预订规则", "15.add", {
  query: z.object({ villageId: z.coerce.number().pipe(f.id) }),
  reply: z.object({
    maxDays: f.number("最长保留", { unit: "天" }),
    unpaidMinutes: f.number("未付保留", { unit: "分钟" }),
    earnestKind: z.enum(words(EARNEST_KINDS)),
  }),
});

export const getReservation = reservations.get("/:id", "预订详情", "15.get", {
  target: "reservation",
  reply: reservationRow.extend({
    leadId: f.id.nullable(),
    leadNumber: f.link("客源").nullable(),
    payPlan: f.status("付款方式", PAY_PLANS).nullable(),
    agentName: f.text("经纪人"),
    remark: f.text("备注"),
    payUntil: f.instant("付款期限").nullable(),
    heldAt: f.instant("预订时间").nullable(),
    endedAt: f.instant("结束时间").nullable(),
    endReason: f.text("结束原因"),
    billId: f.id.nullable(),
    billNo: f.link("定金账单").nullable(),
    refundNo: f.text("退款单").nullable(),
    warning: z.string().nullable(),
  }),
});

const day = f.dayInput;
export const reservationInput = z
  .object({
    leadId: f.id.nullish(),
    partyId: f.pick("客户").nullish(),
    name: f.remark("姓名", 30).default(""),
    phone: f.remark("手机", 20).default(""),
    villageId: f.pick("门店"),
    roomId: f.pick("房间"),
    moveInDay: day("入住日"),
    plannedEndDay: day("预计到期").nullish(),
    rent: f.amount("租金"),
    /** As the room's price has it, unless something else was agreed. */
    unit: f.choice("计价单位", PRICE_UNITS).default("month"),
    payPlan: f.choice("付款方式", PAY_PLANS).nullish(),
    holdUntil: day("保留至"),
    earnestKind: f.choice("类别", EARNEST_KINDS),
    earnest: f.amount("定金", 0),
    agentId: f.pick("经纪人").nullish(),
    remark: f.remark().default(""),
  })
  .superRefine((r, ctx) => {
    const wrong = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
    if (!r.partyId && !r.leadId) {
      if (r.name.length < 2) wrong("name", "请输入客户姓名");
      if (!/^1[3-9]\d{9}$/.test(r.phone)) wrong("phone", "手机格式不正确！");
    }
    if (r.plannedEndDay && r.plannedEndDay < r.moveInDay) wrong("plannedEndDay", "预计到期不能早于入住日");
  });
export type ReservationInput = z.output<typeof reservationInput>;

/** Keeps the room, and bills the earnest money, in one transaction. */
export const addReservation = reservations.post("", "新增预订", "15.add", {
  money: true,
  body: reservationInput,
  reply: z.object({ id: f.id, number: z.string(), waiting: z.string().nullable() }),
});

export const reservationPaper = reservations.get("/:id/paper", "预订单", "15.get", { target: "reservation" });

/** The paper as an attachment to whoever it is for; the same paper goes once a day, however often somebody presses. */
export const sendReservationPaper = callsAt("/customer/api/v3/reservation", "reservation").post(
  "/:id/send",
  "发送预订单",
  "15.edit",
  {
    perMinute: 30,
    reply: z.object({ sent: z.boolean() }),
  },
);
