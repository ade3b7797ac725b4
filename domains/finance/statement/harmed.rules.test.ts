import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import {
  aBookFile,
  aFile,
  type AFile,
  aHarm,
  bytesAs,
  type Harm,
  harmedAs,
  wanted,
  written,
} from "./harmed.sample.ts";
import { readAll } from "./statement.sample.ts";

const told = (lines: readonly { direction: string; amount: number; fee: number; occurredAt: string }[]) =>
  lines.map((l) => [l.direction, l.amount, l.fee, l.occurredAt]);

test("law: what is written is read, whatever the format, encoding, line ends and wrapping", async () => {
  await fc.assert(
    fc.asyncProperty(aFile, async (of) => {
      const { lines, outcome } = await readAll(await bytesAs(of), written(of).of);
      expect(outcome.refusal).toBeUndefined();
      expect(outcome.faults).toEqual([]);
      expect(told(lines)).toEqual(wanted(of));
    }),
    cases(60),
  );
});

/** A bank's file has no totals: what is missing at either end of it is told by nothing. */
async function refusedOrRead(of: AFile, how: Harm): Promise<void> {
  const isBank = written(of).of.kind === "bank";
  let read: Awaited<ReturnType<typeof readAll>>;
  try {
    read = await readAll(await harmedAs(of, how), written(of).of);
  } catch (error) {
    expect((error as Error).message).toMatch(/^[^a-z]+/);
    return;
  }
  const { outcome, lines } = read;
  if (outcome.refusal || outcome.faultCount) return;
  if (!isBank) expect(told(lines)).toEqual(wanted(of));
  // other amounts with balances that follow are another file
  if (!isBank || outcome.warnings.length || how.kind === "amount") return;
  const all = wanted(of).map((line) => JSON.stringify(line));
  const these = told(lines).map((line) => JSON.stringify(line));
  expect(all.join()).toContain(these.join());
  if (how.kind === "twice" || how.kind === "mixed") expect(these).toEqual(all);
}

test("law: a harmed file is refused with a sentence, or read as it was", async () => {
  await fc.assert(fc.asyncProperty(aFile, aHarm, refusedOrRead), cases(150));
});

test("law: so is a harmed book of sheets", async () => {
  await fc.assert(fc.asyncProperty(aBookFile, aHarm, refusedOrRead), cases(2));
});
