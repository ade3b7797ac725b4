import { z } from "zod";

/** Keys of the allocation order, most important first. */
export const ORDER_KEYS = ["due", "principalFirst", "priority"] as const;
export type OrderKey = (typeof ORDER_KEYS)[number];

const channel = z.enum(["wechat", "alipay", "unionpay", "pos", "cash", "bankTransfer"]);

/** Billing settings with the product's defaults. Stored are only the fields that differ. */
export const billingSetting = z.object({
  issueLeadDays: z.number().int().min(0).max(60).default(0),
  autoUsePrepaid: z.boolean().default(true),
  writeOffMinDays: z.number().int().min(0).max(365).default(90),
  allocationOrder: z
    .array(z.enum(ORDER_KEYS))
    .length(3)
    .default([...ORDER_KEYS]),
  lateFeeEnabled: z.boolean().default(true),
  /** Codes of the subjects that bear a late fee; null = every subject of kind income. */
  lateFeeSubjects: z.array(z.string()).nullable().default(null),
  lateFeeFreeze: z.enum(["onPayment", "monthly"]).default("onPayment"),
  /** Fen; a smaller late fee is not frozen. */
  lateFeeMin: z.number().int().min(0).default(0),
  lateFeePauseOnDispute: z.boolean().default(true),
  /** Channels whose receipts wait for a second person. */
  confirmChannels: z.array(channel).default(["bankTransfer"]),
});
export type BillingSetting = z.output<typeof billingSetting>;

/** Default late-fee terms; a contract copies them and then keeps its own. */
export type LateFeeTerms = { graceDays: number; lateFeeRate: string; lateFeeCap: string };
export const LATE_FEE_TERMS: LateFeeTerms = { graceDays: 3, lateFeeRate: "0.0005", lateFeeCap: "1" };

/** Later layers win field by field: product, enterprise, village. A field that no longer fits falls back. */
export function effective(...layers: readonly unknown[]): BillingSetting {
  const merged: Record<string, unknown> = {};
  for (const layer of layers)
    for (const [key, value] of Object.entries((layer ?? {}) as Record<string, unknown>)) {
      const field = billingSetting.shape[key as keyof typeof billingSetting.shape];
      if (field?.safeParse(value).success) merged[key] = value;
    }
  return billingSetting.parse(merged);
}
