import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { command } from "../platform/server/process/command.ts";
import { ROOT } from "../platform/server/process/settings.ts";
import { measureActs } from "./acts.ts";
import { measureBoard, measureFirstList, measureLogin } from "./browser.ts";
import { measureList } from "./lists.ts";
import { LARGE, openPlace, SMALL, type Place } from "./place.ts";
import { measureCrowd } from "./polling.ts";
import { hasPgbench } from "./raw.ts";
import { measureReport } from "./reports.ts";
import { measureLeaving, measureMonth } from "./month.ts";
import { measurePages } from "./pages.ts";
import { measureSchedule } from "./schedule.ts";
import { measureSearch } from "./search.ts";
import { measureSigning } from "./signing.ts";
import { measureStatements } from "./statements.ts";
import { fillAround } from "./volume.ts";
import { roundsOf, row, rowsOf, table, type Keep, type Row } from "./table.ts";

/** What does not need the small place. */
const WITHOUT_SMALL = new Set(["schedule", "statements", "pages", "leaving", "month", "board", "search"]);
const RESULTS = path.join(ROOT, "bench/results");

/**
 * `npm run bench`: every figure that the product promises, as ratios taken in one run where the machine matters.
 * `-- --large` measures the lists at 1.5 million bills too (the data takes some minutes to make, once);
 * `-- --only list,sign` picks.
 */
await command(import.meta, async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      large: { type: "boolean", default: false },
      only: { type: "string" },
      rounds: { type: "string", default: "5" },
    },
  });
  const rounds = Number(values.rounds);
  const wanted = (name: string) => !values.only || values.only.split(",").includes(name);
  const results: Record<string, unknown> = {};
  const rows: Row[] = [];
  const keep = (name: string, result: unknown, ...some: Row[]) => {
    results[name] = result;
    rows.push(...some);
    for (const r of some) process.stderr.write(`${r.join(" | ")}\n`);
  };

  if (wanted("schedule")) {
    const s = measureSchedule();
    keep(
      "schedule",
      s,
      row(
        "Schedule, monthly rent lines a second on one core",
        "≥ 160,000",
        s.median,
        s.worst,
        s.median >= 160_000,
      ),
    );
  }
  if (wanted("statements")) await measureStatements(keep);
  if (!values.only || values.only.split(",").some((name) => !WITHOUT_SMALL.has(name)))
    await measureSmall(rounds, wanted, keep, !values.only);
  if (values.large) {
    const large = await openPlace(LARGE);
    try {
      await measureLists(large, "1.5m", rounds, wanted, keep);
      if (wanted("pages")) {
        if (await fillAround(large)) process.stderr.write("customers and listings filled\n");
        await measurePages(large, rounds, keep);
      }
      if (wanted("leaving")) await measureLeaving(large, keep);
      if (wanted("month")) await measureMonth(large, rounds, keep);
      if (wanted("search")) await measureSearch(large, rounds, keep);
      if (wanted("board")) {
        const b = await measureBoard(large, 3);
        keep(
          "board",
          b,
          row(`Room board of ${b.rooms} rooms, ready, ms`, "< 1500", b.median, b.worst, b.median < 1500),
          row(
            "Room board, longest frame of a scroll, ms",
            "≤ 50",
            b.frameMs.worst,
            b.frameMs.worst,
            b.frameMs.worst <= 50,
          ),
        );
      }
    } finally {
      await large.close();
    }
  }
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model.trim() ?? ""}, ${Math.round(os.totalmem() / 2 ** 30)} GB`;
  if (!values.only) {
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(
      path.join(RESULTS, values.large ? "all.json" : "small.json"),
      `${JSON.stringify({ machine, rounds, results }, null, 2)}\n`,
    );
  }
  const page = path.join(ROOT, "docs/bench.gen.md");
  // a part that is measured alone replaces its own lines
  const before = values.only && existsSync(page) ? readFileSync(page, "utf8") : "";
  writeFileSync(page, table(machine, roundsOf(before) ?? rounds, [...rowsOf(before, rows), ...rows]));
});

async function measureLists(
  place: Place,
  size: string,
  rounds: number,
  wanted: (name: string) => boolean,
  keep: Keep,
): Promise<void> {
  if (!wanted("list")) return;
  if (!hasPgbench())
    throw new Error("The list measure needs pgbench; on Debian: apt-get install postgresql-contrib");
  const rows = await measureList(place, "rows", rounds);
  keep(
    `list-${size}`,
    rows,
    row(
      `Bill list at ${size} bills, 20 rows, share of pgbench`,
      "≥ 0.05",
      rows.median,
      rows.worst,
      rows.median >= 0.05,
    ),
    row(`Bill list at ${size} bills, p95 ms, 10 connections`, "< 20", rows.p95, rows.p95, rows.p95 < 20),
  );
  const both = await measureList(place, "both", rounds);
  keep(
    `list-total-${size}`,
    both,
    row(
      `Bill list at ${size} bills with exact total, share of pgbench`,
      "≥ 0.45",
      both.median,
      both.worst,
      both.median >= 0.45,
    ),
  );
}

/** Everything that 2,000 rooms are enough for. */
async function measureSmall(
  rounds: number,
  wanted: (name: string) => boolean,
  keep: Keep,
  everything: boolean,
): Promise<void> {
  const small = await openPlace(SMALL);
  try {
    await measureLists(small, "200k", rounds, wanted, keep);
    for (const which of ["arrears", "collected"] as const)
      if (wanted("reports")) {
        const r = await measureReport(small, which, rounds);
        const name = which === "arrears" ? "Arrears of three stores" : "A day's collection of three stores";
        keep(
          which,
          r,
          row(
            `${name} ÷ full scan, equal to the fen: ${r.equal ? "yes" : "NO"}`,
            "≥ 10",
            r.median,
            r.worst,
            r.equal && r.median >= 10,
          ),
        );
      }
    if (wanted("acts")) {
      const a = await measureActs(small, 100);
      keep(
        "acts",
        a,
        row("One signing through HTTP, p95 ms", "< 50", a.sign.p95, a.sign.worst, a.sign.p95 < 50),
        row("One payment through HTTP, p95 ms", "< 30", a.pay.p95, a.pay.worst, a.pay.p95 < 30),
      );
    }
    if (wanted("browser")) {
      const login = await measureLogin(small, rounds);
      const list = await measureFirstList(small, rounds);
      keep(
        "login",
        login,
        row("Login, scripts on the wire, KB", "≤ 120", login.scriptKb, login.scriptKb, login.scriptKb <= 120),
        row(
          "Login, interactive, ms (CPU ×4, 10 Mbps, 40 ms)",
          "< 900",
          login.median,
          login.worst,
          login.median < 900,
        ),
      );
      keep(
        "firstList",
        list,
        row(
          "First list, scripts on the wire, KB",
          "≤ 420",
          list.scriptKb,
          list.scriptKb,
          list.scriptKb <= 420,
        ),
        row(
          "First list, interactive, ms (CPU ×4, 10 Mbps, 40 ms)",
          "< 2200",
          list.median,
          list.worst,
          list.median < 2200,
        ),
      );
    }
    // a server gives back what a rush took once nobody has asked for anything for some seconds
    await sleep(12_000);
    const memory = await small.megabytes();
    if (everything)
      keep(
        "memory",
        memory,
        row(
          "Server process after the load, at rest, MB",
          "≤ 190",
          memory.now,
          memory.peak,
          memory.now <= 190,
        ),
      );
    if (wanted("polling")) await measureCrowd(small, Math.min(rounds, 5), keep);
    if (wanted("sign")) {
      const s = await measureSigning(small, 2000, Math.min(rounds, 3));
      keep(
        "signing",
        s,
        row(
          "Signing 2,000 one-year contracts, bills a second",
          "≥ 2,000",
          s.median,
          s.worst,
          s.median >= 2000,
        ),
      );
    }
  } finally {
    await small.close();
  }
}
