import type { Words } from "../../../platform/kernel/field.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { moves } from "../../../platform/kernel/moves.ts";

export const INCOME_PAGE = "/accountManage/PostState";
export const COST_PAGE = "/accountManage/PostStateCost";
export const OFFICE = "公司本部";
/** Head office in an address, where a store has its number. */
export const OFFICE_KEY = "office";

export const SIDE = { income: ["收入", "grey"], cost: ["成本", "grey"] } as const satisfies Words;
export type PostedSide = keyof typeof SIDE;

export const BATCH_STATE = {
  generated: ["已生成", "gold"],
  exported: ["已导出", "blue"],
  booked: ["已入账", "green"],
  discarded: ["已作废", "grey"],
} as const satisfies Words;
export type BatchState = keyof typeof BATCH_STATE;

const NAMES = Object.fromEntries(Object.entries(BATCH_STATE).map(([key, [title]]) => [key, title])) as Record<
  BatchState,
  string
>;
export const BATCH_MOVES = moves<BatchState, { status: BatchState }>(NAMES)({
  discard: { label: "作废", from: ["generated"], to: "discarded" },
  export: { label: "导出锁账", from: ["generated"], to: "exported" },
  again: { label: "再次导出", from: ["exported", "booked"], to: (row) => row.status },
  book: { label: "填写总账凭证号", from: ["exported"], to: "booked" },
  reopen: { label: "解锁", from: ["exported", "booked"], to: "discarded" },
});

/** What a voucher line says beside its account: a fee subject, or a receiving account. The rest is a sum over the month. */
const BY_SUBJECT: ReadonlySet<string> = new Set(["1122", "2243", "6001", "6401", "6701"]);
const BY_ACCOUNT: ReadonlySet<string> = new Set(["1001", "1002", "1012", "6602"]);
export const SUBJECT_ACCOUNTS = [...BY_SUBJECT];
export const MERCHANT_ACCOUNTS = [...BY_ACCOUNT];

export type Mapping = {
  account: string;
  feeSubjectId: number | null;
  merchantAccountId: number | null;
  villageId: number | null;
  glCode: string;
  auxiliary: string;
};
export type Coded = Pick<Mapping, "account" | "feeSubjectId" | "merchantAccountId" | "villageId">;

/** How much a mapping says: a receiving account before a fee subject before a store. */
const weight = (m: Coded) =>
  (m.merchantAccountId === null ? 0 : 4) + (m.feeSubjectId === null ? 0 : 2) + (m.villageId === null ? 0 : 1);

/** The mapping of a line: of those that fit, the one that says most. */
export function mappingOf(mappings: readonly Mapping[], line: Coded): Mapping | undefined {
  const fits = mappings.filter(
    (m) =>
      m.account === line.account &&
      (m.feeSubjectId === null || m.feeSubjectId === line.feeSubjectId) &&
      (m.merchantAccountId === null || m.merchantAccountId === line.merchantAccountId) &&
      (m.villageId === null || m.villageId === line.villageId),
  );
  return fits.toSorted((a, b) => weight(b) - weight(a))[0];
}

/** How a cost is spread over stores. */
export const SPREAD_BASIS = {
  rooms: ["套数", "grey"],
  area: ["面积", "grey"],
  income: ["收入", "grey"],
  fixed: ["固定比例", "grey"],
} as const satisfies Words;
export type SpreadBasis = keyof typeof SPREAD_BASIS;

/** An amount in proportion to weights, to the fen: what rounding down leaves goes to the largest remainders. */
export function spreadOver(amount: Fen, weights: readonly number[]): Fen[] {
  const whole = weights.reduce((sum, w) => sum + BigInt(w), 0n);
  if (whole <= 0n) return weights.map(() => 0);
  const shares = weights.map((w, i) => {
    const exact = BigInt(amount) * BigInt(w);
    return { i, fen: Number(exact / whole), rest: exact % whole };
  });
  let left = amount - shares.reduce((sum, { fen }) => sum + fen, 0);
  for (const share of shares.toSorted((a, b) => Number(b.rest - a.rest) || a.i - b.i)) {
    if (left-- <= 0) break;
    share.fen += 1;
  }
  return shares.map(({ fen }) => fen);
}
