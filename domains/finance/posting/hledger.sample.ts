import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** What hledger works out of a journal, in fen; nothing where it cannot be had. */
export function hledger(journal: string) {
  if (run(journal, ["balance", "-O", "csv"]) === undefined) return undefined;
  return {
    /** By account of ours. */
    balances: (): Record<string, number> => {
      const said = run(journal, ["balance", "--flat", "--no-total", "-O", "csv"])!;
      const byAccount: Record<string, number> = {};
      for (const [, account, amount] of said.matchAll(/^"[^":]+:(\d{4}) [^"]*","CNY (-?[\d.]+)"/gm))
        byAccount[account!] = (byAccount[account!] ?? 0) + Math.round(Number(amount) * 100);
      return byAccount;
    },
    total: (command: "incomestatement" | "balancesheet"): number => {
      const [, amount] =
        /"(?:Net|Total):?"(?:,"CNY (-?[\d.]+)")/.exec(run(journal, [command, "-O", "csv"])!) ?? [];
      return Math.round(Number(amount) * 100);
    },
  };
}

/** What it says of a journal. Debian has it, and it is fetched where that may be done. */
function run(journal: string, args: readonly string[]): string | undefined {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), "ledger-")), "books.journal");
  writeFileSync(file, journal);
  const asked = () =>
    execFileSync("hledger", ["-f", file, ...args], {
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
    execFileSync("apt-get", ["install", "-y", "hledger"], { stdio: "pipe", timeout: 180_000 });
  } catch {
    process.stderr.write("hledger could not be installed: its file is checked by the product alone.\n");
    return undefined;
  }
  return asked();
}
