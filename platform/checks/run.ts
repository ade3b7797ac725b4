import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "../server/process/settings.ts";
import { ensureBrowser } from "./runner/browser.ts";
import { testsOfChange } from "./runner/changed.ts";

/**
 * Every check of the product, one after another; a failed one does not keep the others from being run. The last line
 * counts them all. Arguments go to vitest, and then only the tests are run: `npm test -- domains/finance`. With `--changed`
 * those run that can be reached from what differs from the last commit, or from the one named behind it.
 */
const [first, base = "HEAD"] = process.argv.slice(2);
const only = first === "--changed" ? testsOfChange(base) : process.argv.slice(2);
const REPORT = path.join(ROOT, "test-results/tests.json");

type Count = { passed: number; failed: number };
const bin = (name: string) => path.join(ROOT, "node_modules/.bin", name);
const run = (command: string, args: string[]) =>
  spawnSync(command, args, { cwd: ROOT, stdio: "inherit", shell: process.platform === "win32" }).status === 0;

function step(name: string, command: string, args: string[]): Count {
  const began = performance.now();
  const passed = run(command, args);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${name}: ${passed ? "good" : "failed"} (${seconds} s)\n`);
  return { passed: Number(passed), failed: Number(!passed) };
}

function tests(): Count {
  fs.rmSync(REPORT, { force: true });
  const profile = path.join(ROOT, "platform/checks/runner/profile.ts");
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    `--reporter=${profile}`,
    `--outputFile.json=${REPORT}`,
  ];
  const good = run(process.execPath, [
    path.join(ROOT, "node_modules/vitest/vitest.mjs"),
    "run",
    ...reporters,
    ...only,
  ]);
  if (!fs.existsSync(REPORT)) return { passed: 0, failed: 1 };
  const report = JSON.parse(fs.readFileSync(REPORT, "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
    testResults: { status: string; assertionResults: unknown[] }[];
  };
  // a file that does not even load has no tests to fail
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.length,
  );
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: failed || Number(!good) };
}

const counts: Count[] = [];
if (!only.length) {
  const lacking = ensureBrowser();
  if (lacking) process.stdout.write(`${lacking}\n`);
  // one pass for both: types are worked out once
  counts.push(step("Lint and types", bin("oxlint"), ["--type-aware", "--type-check", "--deny-warnings"]));
  counts.push(step("Format", bin("oxfmt"), ["--check"]));
}
counts.push(tests());

const total = (key: keyof Count) => counts.reduce((sum, count) => sum + count[key], 0);
process.stdout.write(`\n${total("passed")} passed, ${total("failed")} failed\n`);
process.exitCode = total("failed") ? 1 : 0;
