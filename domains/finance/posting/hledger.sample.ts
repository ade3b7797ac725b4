import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

type Program = "hledger" | "ledger";
const fen = (amount: string) => Math.round(Number(amount) * 100);
/** By account of ours, without what comes to nothing. */
const byAccount = (rows: Iterable<[account: string, amount: string]>): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const [account, amount] of rows) sums[account] = (sums[account] ?? 0) + fen(amount);
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
};

/** What hledger works out of a journal, in fen; nothing where it cannot be had. */
export function hledger(journal: string) {
  const flat = run("hledger", journal, ["balance", "--flat", "--no-total", "-O", "csv"]);
  if (flat === undefined) return undefined;
  return {
    balances: byAccount(
      Array.from(flat.matchAll(/^"[^":]+:(\d{4}) [^"]*","CNY (-?[\d.]+)"/gm), ([, a, b]) => [a!, b!]),
    ),
    total: (command: "incomestatement" | "balancesheet"): number => {
      const said = run("hledger", journal, [command, "-O", "csv"])!;
      // without an account of the kind there is no amount
      return fen(/"(?:Net|Total):?"(?:,"(?:CNY )?(-?[\d.]+)")?/.exec(said)![1] ?? "0");
    },
  };
}

/** What ledger works out of a journal by account of ours, in fen; nothing where it cannot be had. */
export function ledger(journal: string): Record<string, number> | undefined {
  const flat = run("ledger", journal, ["balance", "--flat", "--no-total"]);
  if (flat === undefined) return undefined;
  const rows = flat.matchAll(/^ *CNY (-?[\d.]+) +[^:\n]+:(\d{4}) /gm);
  return byAccount(Array.from(rows, ([, amount, account]) => [account!, amount!]));
}

/** What a program says of a journal. Debian has both, and they are fetched where that may be done. */
function run(program: Program, journal: string, args: readonly string[]): string | undefined {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), "ledger-")), "books.journal");
  writeFileSync(file, journal);
  const asked = () =>
    execFileSync(program, ["-f", file, ...args], {
      encoding: "utf8",
      stdio: "pipe",
      env: { ...process.env, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
    });
  try {
    return asked();
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
  }
  try {
    execFileSync("apt-get", ["install", "-y", program], { stdio: "pipe", timeout: 180_000 });
  } catch {
    process.stderr.write(`${program} could not be installed: its file is checked without it.\n`);
    return undefined;
  }
  return asked();
}
