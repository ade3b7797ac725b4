import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { yuan } from "../../../platform/kernel/fen.ts";
import { aBook, packed } from "../../../platform/server/sheets/book.sample.ts";
import { tillBill } from "../pay-order/till-bill.rules.ts";
import type { Of } from "./format.rules.ts";
import {
  ALIPAY,
  alipayBill,
  alipayFund,
  BANK,
  gbk,
  type Moved,
  type Paid,
  WECHAT,
  wechatBill,
  wechatFund,
} from "./statement.sample.ts";

const paid = fc.record({
  no: fc.stringMatching(/^[A-Z0-9]{6,20}$/),
  at: fc
    .integer({ min: 0, max: 86_399 })
    .map((s) => `2026-03-10 ${new Date(s * 1000).toISOString().slice(11, 19)}`),
  amount: fc.integer({ min: 1, max: 9_999_999 }),
  fee: fc.nat({ max: 60_000 }),
  goods: fc.constantFrom("租金", '押金,"首期"', "3栋 1203 房", "=1+1", "@x", "a`b"),
});
type Drawn = { paid: Required<Paid>[]; given: [Required<Paid>, string][]; end: string };
/** What a reader is to say of each line. */
type Wanted = [direction: string, amount: number, fee: number, at: string];

const came = (p: Required<Paid>): Wanted => ["in", p.amount, p.fee, p.at];
const back = (p: Required<Paid>): Wanted => ["out", p.amount, p.fee ? -p.fee : 0, p.at];
/** What Alipay lists has no commas inside. */
const plain = <P extends Paid>(p: P): P => ({ ...p, goods: p.goods!.replaceAll(/[",]/g, "") });
const refunds = (of: Drawn) => of.given.map(([p, refund]) => ({ ...p, refund }));
const moved = (of: Drawn): Moved[] =>
  of.paid.map(({ no, at, amount, fee }) => ({ no, at, amount, out: fee % 2 === 1 }));
const movedAs = (of: Drawn): Wanted[] =>
  moved(of).map(({ at, amount, out }) => [out ? "out" : "in", amount, 0, at]);
const tillEntries = (of: Drawn) =>
  [...of.paid.map((p) => ({ ...p, refund: null })), ...refunds(of)].map(({ at, no, amount, refund }) => ({
    at,
    tradeNo: `NZ${no}`,
    orderNo: no,
    refundId: refund && `NZ${refund}`,
    refundNo: refund,
    amount,
  }));
const bankRows = (of: Drawn): string[][] => {
  let balance = 0;
  return [
    ["交易日期", "交易流水号", "贷方发生额", "借方发生额", "余额", "对方户名", "摘要"],
    ...moved(of).map(({ no, at, amount, out }, i) => {
      balance += out ? -amount : amount;
      const fen = yuan(amount, false);
      const goods = of.paid[i]!.goods.replaceAll(/[",]/g, "");
      return [at, no, out ? "" : fen, out ? fen : "", yuan(balance, false), "宏远商贸", goods];
    }),
  ];
};

type Written = {
  of: Of;
  /** As text, or a book of sheets. */
  text?: (of: Drawn) => string;
  book?: (of: Drawn) => Promise<Buffer>;
  wanted: (of: Drawn) => Wanted[];
};
/** Every format that is read. */
const WRITTEN = {
  wechatAll: {
    of: WECHAT,
    text: (of) => wechatBill(of.paid, refunds(of), of.end),
    wanted: (of) => [...of.paid.map(came), ...of.given.map(([p]) => back(p))],
  },
  wechatSuccess: {
    of: WECHAT,
    text: (of) => wechatBill(of.paid, [], of.end, "success"),
    wanted: (of) => of.paid.map(came),
  },
  wechatRefund: {
    of: WECHAT,
    text: (of) => {
      const given = of.paid.map((p) => ({ ...p, refund: `TK${p.no}`, paidAt: "2026-02-01 10:00:00" }));
      return wechatBill([], given, of.end, "refund");
    },
    wanted: (of) => of.paid.map(back),
  },
  wechatFund: { of: WECHAT, text: (of) => wechatFund(moved(of), of.end), wanted: movedAs },
  alipayTrade: {
    of: ALIPAY,
    text: (of) => alipayBill(of.paid.map(plain), refunds(of).map(plain), of.end),
    wanted: (of) => [...of.paid.map(came), ...of.given.map(([p]) => back(p))],
  },
  alipayFund: { of: ALIPAY, text: (of) => alipayFund(moved(of), of.end), wanted: movedAs },
  bank: {
    of: BANK,
    text: (of) => [...bankRows(of).map((row) => row.join(",")), ""].join(of.end),
    wanted: movedAs,
  },
  till: {
    of: { kind: "till" },
    text: (of) => tillBill(tillEntries(of)).replaceAll("\r\n", of.end),
    wanted: (of) =>
      tillEntries(of).map(({ refundId, amount, at }) => [refundId ? "out" : "in", amount, 0, at]),
  },
  book: { of: BANK, book: (of) => aBook("流水", bankRows(of)), wanted: movedAs },
} satisfies Record<string, Written>;

const { book: _, ...TEXTS } = WRITTEN;
/** A file of text; a book takes a reader of its own half a second to open, so it is drawn apart. */
export const aFile = fc.record({
  format: fc.constantFrom<keyof typeof WRITTEN>(...(Object.keys(TEXTS) as (keyof typeof TEXTS)[])),
  paid: fc.uniqueArray(paid, { selector: (p) => p.no, minLength: 1, maxLength: 8 }),
  given: fc.uniqueArray(fc.tuple(paid, fc.stringMatching(/^TK[0-9]{6}$/)), {
    selector: ([, no]) => no,
    maxLength: 3,
  }),
  end: fc.constantFrom("\n", "\r\n"),
  coding: fc.constantFrom("utf-8", "bom", "gbk"),
  wrap: fc.constantFrom("plain", "gz", "zip"),
});
export type AFile = typeof aFile extends fc.Arbitrary<infer T> ? T : never;
export const aBookFile = aFile.map((of): AFile => ({ ...of, format: "book" }));

const bytesOf = (text: string, coding: string) =>
  coding === "gbk" ? gbk(text) : Buffer.from(coding === "bom" ? `\uFEFF${text}` : text);
const wrapped = async (bytes: Buffer, wrap: string) =>
  wrap === "gz" ? gzipSync(bytes) : wrap === "zip" ? packed({ "账单_业务明细.csv": bytes }) : bytes;

export const written = (of: AFile): Written => WRITTEN[of.format];
export const wanted = (of: AFile): Wanted[] => written(of).wanted(of);
export async function bytesAs(of: AFile): Promise<Buffer> {
  const { text, book } = written(of);
  return text ? wrapped(bytesOf(text(of), of.coding), of.wrap) : book!(of);
}

/** What can happen to a file on its way; `whole`: to what it is packed in. */
export const aHarm = fc.oneof(
  fc.record({
    kind: fc.constant("cut" as const),
    at: fc.double({ min: 0.01, max: 0.999, noNaN: true }),
    whole: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("drop" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("twice" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("amount" as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant("byte" as const),
    at: fc.nat(),
    byte: fc.constantFrom(0x00, 0x22, 0xff, 0x2c, 0x0a),
    whole: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("mixed" as const), at: fc.nat() }),
);
export type Harm = typeof aHarm extends fc.Arbitrary<infer T> ? T : never;

function bitten(bytes: Buffer, how: Harm): Buffer {
  if (how.kind === "cut") return bytes.subarray(0, Math.max(1, Math.floor(bytes.length * how.at)));
  if (how.kind === "byte") bytes[how.at % bytes.length] = how.byte;
  return bytes;
}

/** The file after that; a book knows only harm to its bytes. */
export async function harmedAs(of: AFile, how: Harm): Promise<Buffer> {
  const { text } = written(of);
  if (!text || ("whole" in how && how.whole)) return bitten(await bytesAs(of), how);
  const lines = text(of).split("\n");
  // a row of the table
  const rows = lines.flatMap((line, i) => (/^`?(2026|[A-Z0-9]{6})/.test(line) ? [i] : []));
  const row = rows[Math.floor(how.at) % rows.length]!;
  if (how.kind === "drop") lines.splice(row, 1);
  if (how.kind === "twice") lines.splice(row, 0, lines[row]!);
  if (how.kind === "amount")
    lines[row] = lines[row]!.replaceAll(
      /(\d)\.(\d\d)\b/g,
      (_, a: string, b: string) => `${(Number(a) + 1) % 10}.${b}`,
    );
  const bytes = bitten(bytesOf(lines.join("\n"), of.coding), how);
  const mixed = bytesOf("微信", of.coding === "gbk" ? "utf-8" : "gbk");
  return wrapped(how.kind === "mixed" ? Buffer.concat([bytes, mixed]) : bytes, of.wrap);
}
