import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export const IMPORT_STATES = {
  failed: ["有错误", "red"],
  ready: ["待确认", "gold"],
  importing: ["导入中", "blue"],
  done: ["已导入", "green"],
  undone: ["已撤销", "grey"],
} as const satisfies Words;
export type ImportState = keyof typeof IMPORT_STATES;

/** Errors that are kept and shown; the marked file carries all of them. */
export const ERRORS_SHOWN = 2_000;
/** Up to so many contracts are taken within the call; more become a job with progress. */
export const AT_ONCE = 300;

export const cellError = z.object({
  row: f.number("行"),
  /** Letters of the column in this file, or none where the row as a whole is meant. */
  column: f.text("列"),
  header: f.text("列名"),
  value: f.text("内容"),
  msg: f.text("错误"),
});
export type CellError = z.output<typeof cellError>;

/** 第 12 行 到期日：早于起租日 */
export const errorSentence = ({ row, header, msg }: CellError): string =>
  `第 ${row} 行${header && ` ${header}`}：${msg}`;

export const villageTotals = z.object({
  villageName: f.text("门店"),
  contracts: f.number("合同"),
  monthlyRent: f.money("月租金"),
  deposit: f.money("在管押金"),
  /** What the terms say, to see at once where less is held. */
  agreed: f.money("约定押金"),
  arrears: f.money("欠费"),
  prepaid: f.money("预存款"),
  /** Bills of periods after the paid-to day that fall due by the day of the import: not among the arrears. */
  dueNow: f.money("已到应收日", { help: "已付至之后、应收日已到的账单，导入后即为应收；不应再填在欠费里" }),
  bills: f.number("待出账单"),
  newTenants: f.number("新建租客"),
});
export type VillageTotals = z.output<typeof villageTotals>;
export const importTotals = z.object({ villages: z.array(villageTotals), sum: villageTotals });
export type ImportTotals = z.output<typeof importTotals>;

/** The village rows and under them their sum. */
export function totalsOf(villages: VillageTotals[]): ImportTotals {
  const add = (key: Exclude<keyof VillageTotals, "villageName">) =>
    villages.reduce((sum, v) => sum + v[key], 0);
  return {
    villages,
    sum: {
      villageName: "合计",
      contracts: add("contracts"),
      monthlyRent: add("monthlyRent"),
      deposit: add("deposit"),
      agreed: add("agreed"),
      arrears: add("arrears"),
      prepaid: add("prepaid"),
      dueNow: add("dueNow"),
      bills: add("bills"),
      newTenants: add("newTenants"),
    },
  };
}

/** The sentence against taking a batch, or nothing. */
export function commitRefusal(state: ImportState): string | undefined {
  if (state === "ready") return undefined;
  return {
    failed: "文件有错误，请改正后重新上传",
    importing: "正在导入，请勿重复提交",
    done: "该批次已导入",
    undone: "该批次已撤销，请重新上传文件",
  }[state];
}
