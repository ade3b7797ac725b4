/** Who may move in before the money is there: the first bills, the deposit alone, or nothing must be paid. */
export const MOVE_IN_RULES = {
  firstPaid: ["付清首期账单", "grey"],
  depositPaid: ["付清押金", "grey"],
  any: ["不限制", "grey"],
} as const;
export type MoveInRule = keyof typeof MOVE_IN_RULES;

export const FREE_ROOM_AT = { confirmed: ["结算确认后", "grey"], paid: ["结清款项后", "grey"] } as const;

/** A contract that takes a company beyond its credit limit. */
export const CREDIT_RULES = {
  refuse: ["拒绝签约", "grey"],
  reason: ["有权限的人说明原因后可签", "grey"],
} as const;
export type CreditRule = keyof typeof CREDIT_RULES;

/** A renter whose certificate nobody has checked. */
export const VERIFY_RULES = { warn: ["提示后可签", "grey"], refuse: ["核验后才能签约", "grey"] } as const;
export type VerifyRule = keyof typeof VERIFY_RULES;

/** Where the values in force come from: the village's own, else the enterprise's, else those of the product. */
export const CONFIG_SOURCES = {
  village: ["门店设置", "grey"],
  enterprise: ["企业设置", "grey"],
  platform: ["平台默认", "grey"],
} as const;

/** What holds where nobody has set anything. Limits of 0 mean none. */
export const CONFIG_DEFAULTS = {
  holdDays: 7,
  backdateDays: 90,
  renewalWindowDays: 60,
  renewNeedsPaid: false,
  moveInRule: "firstPaid" as MoveInRule,
  freeRoomAt: "confirmed" as keyof typeof FREE_ROOM_AT,
  /** A tenant who has the settlement's sheet for so long and says nothing agrees. */
  silentDays: 3,
  creditRule: "refuse" as CreditRule,
  verifyRule: "warn" as VerifyRule,
  maxDepositMonths: 0,
  maxPrepayMonths: 0,
};
