import os from "node:os";
import { defineConfig } from "vitest/config";
import LongestFirst from "./platform/checks/runner/longest-first.ts";

/** Neither server nor database: these start at once. */
const pure = ["**/*.rules.test.ts", "platform/{kernel,console}/**/*.test.{ts,tsx}"];
const stories = ["e2e/**/*.test.ts"];
const never = ["**/node_modules/**", "dist/**", "data/**"];
const cluster = "platform/server/database/cluster-setup.ts";
/** On two cores too, one works while the other waits for the database. */
const maxWorkers = Math.max(2, os.availableParallelism() - 1);
/** What a test makes is gone before it would be moved out of the young generation. */
const execArgv = ["--max-semi-space-size=64"];
/**
 * The server's modules are loaded once and not for each of hundreds of files: they keep nothing of a database but under
 * its own pool.
 */
const shared = {
  isolate: false,
  execArgv,
  setupFiles: ["platform/server/database/each-file.sample.ts", "platform/checks/cases.ts"],
  // servers that tests start in production's mode too: the package's programs, so that results are the same everywhere
  env: { POSTGRES_BIN: process.env.POSTGRES_BIN || "embedded" },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "rules",
          include: pure,
          exclude: never,
          setupFiles: "platform/checks/cases.ts",
          maxWorkers,
          testTimeout: 15_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "server",
          include: ["**/*.test.{ts,tsx}"],
          exclude: [...never, ...pure, ...stories],
          globalSetup: cluster,
          ...shared,
          maxWorkers,
          testTimeout: 15_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "stories",
          include: stories,
          exclude: never,
          globalSetup: [cluster, "platform/server/process/console-setup.ts"],
          ...shared,
          maxWorkers,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // a page on a busy machine takes its time
          expect: { poll: { timeout: 10_000 } },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
