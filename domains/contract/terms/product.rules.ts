import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { endAfter } from "../schedule/months.rules.ts";
import type { ContractForm } from "./terms.contract.ts";

/** A fixed fee that a product is let with; `month` is paid every month, `period` together with the rent. */
export type ProductFee = {
  feeId: number;
  name: string;
  deposit: boolean;
  amount: Fen;
  cycle: "month" | "period" | "once";
};
/** What a room is let as, and what that says about how long and with which fees. */
export type Product = {
  name: string;
  minTermMonths: number | null;
  maxTermMonths: number | null;
  fees: readonly ProductFee[];
};
type Held = { minTermMonths?: number | null; product?: Product | null };
type Bounds = { min: number | null; max: number | null };

/** The shortest and longest term in months: a room's own minimum stands before that of its product. */
export const termBounds = (room: Held | undefined): Bounds => ({
  min: room?.minTermMonths ?? room?.product?.minTermMonths ?? null,
  max: room?.product?.maxTermMonths ?? null,
});

/** What is wrong with a term of so many whole months from a day on; nothing where it fits. */
export function termWrong({ min, max }: Bounds, start: Day, end: Day): string | undefined {
  if (min && end < endAfter(start, min)) return `租期不能短于 ${min} 个月`;
  if (max && end > endAfter(start, max)) return `租期不能超过 ${max} 个月`;
  return undefined;
}

/** The same as an error of the form. What is left of a lease that changes its room or tenant may be short. */
export function termErrors(
  { start, end, takeOver }: ContractForm,
  room: Held & { name: string },
): FieldError[] {
  const { min, max } = termBounds(room);
  const bounds = { min: takeOver && takeOver.kind !== "renewal" ? null : min, max };
  const wrong = start && end && end >= start ? termWrong(bounds, start, end) : undefined;
  return wrong ? [{ field: "end", msg: `${room.name} 的${wrong}` }] : [];
}

/** 6 至 24 个月, or the one bound that there is. */
export function boundsText({ min, max }: Bounds): string | undefined {
  if (min && max) return min === max ? `${min} 个月` : `${min} 至 ${max} 个月`;
  return min ? `至少 ${min} 个月` : max ? `最多 ${max} 个月` : undefined;
}

type Fee = ContractForm["fees"][number];

/** The fees of a product as lines of a contract. */
export const feesOf = (product: Product | null | undefined): Fee[] =>
  (product?.fees ?? []).map(({ feeId, name, deposit, amount, cycle }) => ({
    feeId,
    name,
    kind: deposit ? "depositInKind" : cycle === "once" ? "once" : "recurring",
    amount,
    prorate: true,
    ...(cycle === "month" && !deposit && { cycleMonths: 1 as const }),
  }));

const same = (a: Fee, b: Fee) => a.feeId === b.feeId && a.amount === b.amount && a.kind === b.kind;

/**
 * Lines of a contract once a room is chosen: what the product of the room before proposed and nobody touched goes, what
 * its own product proposes comes, and what was typed stays.
 */
export function withFees(
  fees: readonly Fee[],
  product: Product | null | undefined,
  before: readonly Fee[],
): Fee[] {
  const kept = fees.filter((fee) => !before.some((old) => same(fee, old)));
  return [...kept, ...feesOf(product).filter((fee) => !kept.some((k) => k.feeId === fee.feeId))];
}

/** Where the fees of a contract fall short of what the product is let with: worth a look, but no refusal. */
export function feeHints(
  { fees }: Pick<ContractForm, "fees">,
  product: Product | null | undefined,
): string[] {
  return feesOf(product).flatMap((wanted) => {
    const own = fees.filter((fee) => fee.feeId === wanted.feeId);
    if (!own.length) return [`没有收取${product!.name}约定的${wanted.name}`];
    return own.some((fee) => fee.amount < wanted.amount)
      ? [`${wanted.name}低于${product!.name}约定的 ${yuan(wanted.amount)}`]
      : [];
  });
}

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

export const MOST_ATTACHED = 5;
export const TOO_MANY_UNITS = "一份合同最多一间主房和五个附属单元";
const MOST_SHOPS = 20;

/** Which rooms a contract of a kind may let, and who may live in them. */
export function roomErrors(form: ContractForm, limits: Limits, report: Report): void {
  if (!form.rooms.length) return;
  const known = form.rooms.flatMap((r) => limits.rooms.filter((f) => f.roomId === r.roomId));
  const main = known.filter((f) => !isAttached(f.kind));
  if (form.kind !== "renter") return firmRoomErrors(form.kind, main, report);
  renterErrors(form, limits, main, report);
}

type Main = Pick<RoomFacts, "kind" | "name">;

/** The same of the main rooms of a firm's contract. */
export const firmRoomErrors = (kind: "company" | "merchant", main: readonly Main[], report: Report): void =>
  kind === "merchant" ? shopErrors(main, report) : companyErrors(main, report);

/** A shop lease is over shops; store rooms and parking go with them. */
function shopErrors(main: readonly Main[], report: Report): void {
  const other = main.find((f) => f.kind !== "shop");
  if (!main.length) report("rooms", "请选择铺位，车位和储藏间只能随铺出租");
  else if (other) report("rooms", `商户合同只能租铺位，${other.name} 请签租客或企业合同`);
  else if (main.length > MOST_SHOPS) report("rooms", `一份商户合同最多${MOST_SHOPS}个铺位`);
}

function companyErrors(main: readonly Main[], report: Report): void {
  if (!main.length) report("rooms", "请至少选择一间房，车位和储藏间只能随房出租");
  else if (main.some((f) => f.kind === "shop")) report("rooms", "商铺请签商户合同");
}

function renterErrors(
  form: ContractForm,
  { party }: Limits,
  main: readonly RoomFacts[],
  report: Report,
): void {
  if (form.rooms.length > MOST_ATTACHED + 1) report("rooms", TOO_MANY_UNITS);
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
