import { yuan } from "../../../platform/kernel/fen.ts";
import { TILL_COLUMNS, TILL_TOTALS, TILL_WAYS } from "../pay-order/till-bill.rules.ts";
import { grossOf, momentOf, sumOf, WRONG_AMOUNT, WRONG_TIME } from "./cell.rules.ts";
import { type Columns, lacking, type Reading, type Row, type StatementLine, told } from "./format.rules.ts";
import { totalsOf, unequal } from "./wechat.rules.ts";

/** Reads a bill of the embedded cashier whose header this is; a sentence where a column is missing; nothing for another format. */
export function tillOf(columns: Columns): Reading | string | undefined {
  if (!columns.has("收银流水号")) return undefined;
  const missing = lacking(columns, TILL_COLUMNS);
  if (missing) return missing;
  const [count, taken, given] = TILL_TOTALS;
  const totals = totalsOf(count);
  const sum = { lines: 0, in: 0, out: 0 };
  return {
    format: "till",
    columns,
    row: (row) => {
      const line = movement(row);
      sum.lines++;
      sum[line.direction] += line.amount;
      return [line];
    },
    aside: totals.aside,
    refusal: () =>
      totals.refusal((values) => {
        if (Number(values.get(count)) !== sum.lines)
          return unequal(`${values.get(count) ?? ""} 笔`, `${sum.lines} 笔`);
        for (const [column, counted] of [
          [taken, sum.in],
          [given, sum.out],
        ] as const) {
          const written = values.get(column) ?? "";
          if (sumOf(written) !== counted) return unequal(written, yuan(counted));
        }
        return undefined;
      }),
  };
}

function movement(row: Row): StatementLine {
  const way = row.get("收支");
  const out = way === TILL_WAYS.out;
  if (!out && way !== TILL_WAYS.in) row.say("收支", "收支无法识别");
  const amount = grossOf(row.get("金额"));
  if (typeof amount === "string") row.say("金额", amount);
  else if (amount <= 0) row.say("金额", WRONG_AMOUNT);
  const key = out ? "退款流水号" : "收银流水号";
  if (!told(row.get(key))) row.say(key, "单号不能为空");
  return {
    lineNo: row.no,
    rowKey: `${out ? "R" : "P"}:${row.get(key)}`,
    occurredAt: momentOf(row.get("交易时间")) ?? row.say("交易时间", WRONG_TIME) ?? "",
    direction: out ? "out" : "in",
    amount: typeof amount === "number" ? amount : 0,
    fee: 0,
    outTradeNo: told(row.get("商户订单号")),
    channelTradeNo: told(row.get("收银流水号")),
    ...(out && { channelRefundNo: told(row.get("商户退款单号")) }),
    raw: row.raw,
  };
}
