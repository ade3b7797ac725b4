import { type Words, plainWords } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";

export const VILLAGE_MODES = plainWords({ centralised: "集中式", scattered: "分散式" });
export type VillageMode = keyof typeof VILLAGE_MODES;

export const VILLAGE_STATES = {
  preparing: ["筹备中", "gold"],
  open: ["营业中", "green"],
  closed: ["已停业", "grey"],
} as const satisfies Words;
export type VillageState = keyof typeof VILLAGE_STATES;

export const ACCOUNT_WORDS = { set: ["已配", "green"], missing: ["未配", "orange"] } as const satisfies Words;

/** Kinds of village pictures, as the specification numbers them. */
export const PICTURE_TYPES = ["公共区域", "室内", "户型图", "周边环境"] as const;
export const PICTURES_PER_TYPE = 20;

/** What opening looks at. */
export type Readiness = { buildings: number; rooms: number; accounts: number };
/** What closing looks at: what still stands from that day on. */
export type Standing = { leases: number; reservations: number; openBills: number; depositsHeld: number };

const missing = (r: Readiness): string | undefined =>
  !r.buildings ? "请先添加楼栋" : !r.rooms ? "请先添加房间" : !r.accounts ? "请先配置收款账户" : undefined;

const inTheWay = (s: Standing): string | undefined => {
  const parts = [
    s.leases && `${s.leases} 条在租记录`,
    s.reservations && `${s.reservations} 条预订或签约占用`,
    s.openBills && `${s.openBills} 笔未结清账单`,
    s.depositsHeld && `${s.depositsHeld} 笔未退押金`,
  ].filter(Boolean);
  return parts.length ? `门店还有 ${parts.join("、")}，不能停业` : undefined;
};

export const villageMoves = moves<VillageState, Readiness & Standing>({
  preparing: "筹备中",
  open: "营业中",
  closed: "已停业",
})({
  open: { label: "开业", from: ["preparing", "closed"], to: "open", unless: missing },
  close: { label: "停业", from: ["open"], to: "closed", unless: inTheWay },
});
