import type { Day } from "../../../platform/kernel/day.ts";
import type { Product } from "./product.rules.ts";
import type { ContractForm } from "./terms.contract.ts";

/** What the terms are measured against: the village's limits, the rooms as they stand, the person who signs. */
export type Limits = {
  today: Day;
  backdateDays: number;
  /** Months; 0 = no limit. */
  maxDepositMonths: number;
  maxPrepayMonths: number;
  mayBackdate: boolean;
  rooms: readonly RoomFacts[];
  party: PartyFacts | undefined;
};
export type RoomFacts = {
  roomId: number;
  name: string;
  kind: string;
  area: string | null;
  capacity: number;
  /** Who may live in a shared flat or dormitory. */
  gender: string;
  /** Its own shortest term, which stands before that of its product. */
  minTermMonths?: number | null;
  product?: Product | null;
};
export type PartyFacts = {
  name: string;
  gender: "male" | "female" | null;
  birthday: Day | null;
  guardianName: string;
  guardianPhone: string;
};

/** Parking and store rooms go with a room; everything else is let for itself. */
export const isAttached = (kind: string) => kind === "parking" || kind === "storage";

type Report = (field: string, msg: string) => void;

const MOST_ATTACHED = 5;
const MOST_SHOPS = 20;

/** Which rooms a contract of a kind may let, and who may live in them. */
export function roomErrors(form: ContractForm, limits: Limits, report: Report): void {
  if (!form.rooms.length) return;
  const known = form.rooms.flatMap((r) => limits.rooms.filter((f) => f.roomId === r.roomId));
  const main = known.filter((f) => !isAttached(f.kind));
  if (form.kind === "merchant") return shopErrors(main, report);
  if (form.kind === "company") return companyErrors(main, report);
  renterErrors(form, limits, main, report);
}

/** A shop lease is over shops; store rooms and parking go with them. */
function shopErrors(main: readonly RoomFacts[], report: Report): void {
  const other = main.find((f) => f.kind !== "shop");
  if (!main.length) report("rooms", "请选择铺位，车位和储藏间只能随铺出租");
  else if (other) report("rooms", `商户合同只能租铺位，${other.name} 请签租客或企业合同`);
  else if (main.length > MOST_SHOPS) report("rooms", `一份商户合同最多${MOST_SHOPS}个铺位`);
}

function companyErrors(main: readonly RoomFacts[], report: Report): void {
  if (!main.length) report("rooms", "请至少选择一间房，车位和储藏间只能随房出租");
  else if (main.some((f) => f.kind === "shop")) report("rooms", "商铺请签商户合同");
}

function renterErrors(
  form: ContractForm,
  { party }: Limits,
  main: readonly RoomFacts[],
  report: Report,
): void {
  if (form.rooms.length > MOST_ATTACHED + 1) report("rooms", "一份合同最多一间主房和五个附属单元");
  else if (main.length !== 1)
    report("rooms", main.length ? "租客合同只能有一间主房" : "请选择一间主房，车位和储藏间只能随房出租");
  const [room] = main;
  if (!room) return;
  if (room.kind === "shop") return report("rooms", "商铺请签商户合同");
  const people = form.occupants.length + 1;
  if (people > room.capacity) report("occupants", `入住人数超过可住人数（${room.capacity} 人）`);
  if (room.gender === "any") return;
  const word = room.gender === "female" ? "女性" : "男性";
  if (party?.gender && party.gender !== room.gender) report("partyId", `${room.name} 仅限${word}入住`);
  form.occupants.forEach((o, i) => {
    if (o.gender && o.gender !== room.gender) report(`occupants.${i}.gender`, `${room.name} 仅限${word}入住`);
  });
}
