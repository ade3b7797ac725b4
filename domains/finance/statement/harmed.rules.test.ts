import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { packed } from "../../../platform/server/sheets/book.sample.ts";
import { ALIPAY, alipayBill, gbk, type Paid, readAll, WECHAT, wechatBill } from "./statement.sample.ts";

const paid = fc.record({
  no: fc.stringMatching(/^[A-Z0-9]{6,20}$/),
  at: fc
    .integer({ min: 0, max: 86_399 })
    .map((s) => `2026-03-10 ${new Date(s * 1000).toISOString().slice(11, 19)}`),
  amount: fc.integer({ min: 1, max: 9_999_999 }),
  fee: fc.nat({ max: 60_000 }),
  goods: fc.constantFrom("租金", '押金,"首期"', "3栋 1203 房", "=1+1", "@x", "a`b"),
});
const file = fc.record({
  paid: fc.uniqueArray(paid, { selector: (p) => p.no, minLength: 1, maxLength: 8 }),
  given: fc.uniqueArray(fc.tuple(paid, fc.stringMatching(/^TK[0-9]{6}$/)), {
    selector: ([, no]) => no,
    maxLength: 3,
  }),
  end: fc.constantFrom("\n", "\r\n"),
  coding: fc.constantFrom("utf-8", "bom", "gbk"),
  wrap: fc.constantFrom("plain", "gz", "zip"),
});
type File = typeof file extends fc.Arbitrary<infer T> ? T : never;
const bytesOf = (text: string, coding: string) =>
  coding === "gbk" ? gbk(text) : Buffer.from(coding === "bom" ? `\uFEFF${text}` : text);
const wrapped = async (bytes: Buffer, wrap: string) =>
  wrap === "gz" ? gzipSync(bytes) : wrap === "zip" ? packed({ "账单_业务明细.csv": bytes }) : bytes;
const textOf = (of: File, alipay: boolean) => {
  const given = of.given.map(([p, refund]) => ({ ...p, refund }));
  // what Alipay lists has no commas inside
  const plain = (p: Paid) => ({ ...p, goods: p.goods!.replace(/[",]/g, "") });
  return alipay
    ? alipayBill(
        of.paid.map(plain),
        given.map((g) => ({ ...g, ...plain(g) })),
        of.end,
      )
    : wechatBill(of.paid, given, of.end);
};
const wanted = (of: File) => [
  ...of.paid.map((p) => ["in", p.amount, p.fee, p.at]),
  ...of.given.map(([p]) => ["out", p.amount, p.fee ? -p.fee : 0, p.at]),
];
const told = (lines: readonly { direction: string; amount: number; fee: number; occurredAt: string }[]) =>
  lines.map((l) => [l.direction, l.amount, l.fee, l.occurredAt]);

test("law: what is written is read, whatever the encoding, line ends and wrapping", async () => {
  await fc.assert(
    fc.asyncProperty(file, fc.boolean(), async (of, alipay) => {
      const bytes = await wrapped(bytesOf(textOf(of, alipay), of.coding), of.wrap);
      const { lines, outcome } = await readAll(bytes, alipay ? ALIPAY : WECHAT);
      expect(outcome.refusal).toBeUndefined();
      expect(outcome.faults).toEqual([]);
      expect(told(lines)).toEqual(wanted(of));
    }),
    cases(60),
  );
});

/** What can happen to a file on its way. */
const harm = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), at: fc.double({ min: 0.01, max: 0.999, noNaN: true }) }),
  fc.record({ kind: fc.constant("drop" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("twice" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("amount" as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant("byte" as const),
    at: fc.nat(),
    byte: fc.constantFrom(0x00, 0x22, 0xff, 0x2c, 0x0a),
  }),
  fc.record({ kind: fc.constant("mixed" as const), at: fc.nat() }),
);
function harmed(
  text: string,
  coding: string,
  how: typeof harm extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  const lines = text.split("\n");
  // a row of the table
  const rows = lines.flatMap((line, i) => (/^`2026|^2026/.test(line) ? [i] : []));
  const row = rows["at" in how ? Math.floor(how.at) % rows.length : 0]!;
  if (how.kind === "drop") lines.splice(row, 1);
  if (how.kind === "twice") lines.splice(row, 0, lines[row]!);
  if (how.kind === "amount")
    lines[row] = lines[row]!.replaceAll(
      /(\d)\.(\d\d)\b/g,
      (_, a: string, b: string) => `${(Number(a) + 1) % 10}.${b}`,
    );
  const bytes = bytesOf(lines.join("\n"), coding);
  if (how.kind === "cut") return bytes.subarray(0, Math.floor(bytes.length * how.at));
  if (how.kind === "byte") bytes[how.at % bytes.length] = how.byte;
  if (how.kind === "mixed")
    return Buffer.concat([bytes, bytesOf("微信", coding === "gbk" ? "utf-8" : "gbk")]);
  return bytes;
}

test("law: a harmed file is refused with a sentence, or read as it was", async () => {
  await fc.assert(
    fc.asyncProperty(file, fc.boolean(), harm, async (of, alipay, how) => {
      const bytes = harmed(textOf(of, alipay), of.coding, how);
      let read: Awaited<ReturnType<typeof readAll>>;
      try {
        read = await readAll(bytes, alipay ? ALIPAY : WECHAT);
      } catch (error) {
        expect((error as Error).message).toMatch(/^[^a-z]+/);
        return;
      }
      if (read.outcome.refusal || read.outcome.faultCount) return;
      expect(told(read.lines)).toEqual(wanted(of));
    }),
    cases(150),
  );
});
