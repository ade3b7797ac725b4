import { spawnSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "../server/process/settings.ts";
import { filesOf, isTest, textOf } from "./tree.ts";

/** A life is looked at beside all before it, so the cost of a round grows with the square of its cases. */
const ROUND = 10;

/**
 * `npm run laws -- 50 domains/contract`: every law tried with so many times as many random cases as in `npm test`, in the
 * folders named or everywhere: in rounds, each in databases of its own, up to the first that fails. The number alone bounds it.
 */
const [times = "20", ...folders] = process.argv.slice(2);
const files = filesOf()
  .filter((file) => isTest(file) && /from "fast-check"|\bcases\(/.test(textOf(file)))
  .filter((file) => !folders.length || folders.some((folder) => file.startsWith(folder)));
const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
for (let left = Number(times); left > 0; left -= ROUND) {
  const { status } = spawnSync(process.execPath, [vitest, "run", "--testTimeout=3600000", ...files], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, LAWS: String(Math.min(left, ROUND)) },
  });
  process.exitCode = status ?? 1;
  if (process.exitCode) break;
}
