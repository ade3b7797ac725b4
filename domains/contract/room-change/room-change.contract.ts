import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { actCalls } from "../act/act.contract.ts";
import { CHARGES, chargeOf } from "../settlement/settlement.contract.ts";
import { changePreview } from "../recut/recut.contract.ts";

const once = f.distinct<{ roomId: number }>((r) => r.roomId);

/** Rooms that join a company's contract, each at its own rent. */
export const addDraft = z.object({
  effectiveOn: f.dayInput("加房日"),
  reason: f.reason("加房原因"),
  rooms: z
    .array(
      z.object({
        roomId: f.pick("房间"),
        monthlyRent: f.amount("月租金"),
        /** Where the deposit of the contract is a sum and not months of rent. */
        deposit: f.amount("押金", 0).nullish(),
      }),
    )
    .min(1, "请选择房间")
    .max(2000, "一次最多加2000间房")
    .refine(once, "房间不能重复"),
});
export type AddDraft = z.output<typeof addDraft>;

/** What the rooms that go may be charged for: as with a settlement, and a penalty that both sides agree on. */
export const RETURN_CHARGES = {
  ...CHARGES,
  penalty: ["违约金", "grey"],
} as const satisfies f.Words;

/** Some of a contract's rooms are given back. */
export const returnDraft = z.object({
  effectiveOn: f.dayInput("退房日"),
  reason: f.reason("退房原因"),
  roomIds: f.ids().min(1, "请选择房间").max(2000, "一次最多退2000间房").meta({ title: "房间", kind: "room" }),
  /** Of the deposit; where it is left open, what these rooms had paid. */
  deposit: f.amount("退还押金", 0).nullish(),
  charges: z.array(chargeOf(RETURN_CHARGES)).max(50, "扣款最多50项").default([]),
});
export type ReturnDraft = z.output<typeof returnDraft>;

/** Rooms are given back, and others join from a day on: what is left is let up to the day before. */
export const exchangeDraft = z.object({
  effectiveOn: f.dayInput("调换日"),
  reason: f.reason("调换原因"),
  roomIds: returnDraft.shape.roomIds,
  rooms: addDraft.shape.rooms,
});
export type ExchangeDraft = z.output<typeof exchangeDraft>;

const shared = {
  target: "amendment",
  get: ["11.get"],
  work: ["#1108"],
  accept: "#1108",
  confirm: "#1108",
  undo: "#1108",
  preview: changePreview,
} as const;
export const addRoomsActs = actCalls("/contract/api/v3/addRooms", {
  ...shared,
  title: "加房",
  body: addDraft,
});
export const returnRoomsActs = actCalls("/contract/api/v3/returnRooms", {
  ...shared,
  title: "退部分房",
  body: returnDraft,
});
export const exchangeRoomsActs = actCalls("/contract/api/v3/exchangeRooms", {
  ...shared,
  title: "调换房间",
  body: exchangeDraft,
});
