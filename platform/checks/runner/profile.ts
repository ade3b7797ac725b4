import type { Reporter, TestModule } from "vitest/node";

type Kind = "rules" | "server" | "whole house" | "stories";
const kindOf = ({ project, relativeModuleId }: TestModule): Kind =>
  project.name === "server" && relativeModuleId.startsWith("platform/checks/")
    ? "whole house"
    : (project.name as Kind);

/** Seconds, with one decimal. */
const seconds = (ms: number) => (ms / 1000).toFixed(1);

/** At the end of a run: how long each kind of test took to be set up (modules, database, server) and to be run, and the longest files. */
export default class Profile implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map((module) => {
      const { collectDuration, setupDuration, prepareDuration, environmentSetupDuration, duration } =
        module.diagnostic();
      const setUp = collectDuration + setupDuration + prepareDuration + environmentSetupDuration;
      return { file: module.relativeModuleId, kind: kindOf(module), setUp, bodies: duration };
    });
    const sum = (of: typeof rows, key: "setUp" | "bodies") => of.reduce((all, row) => all + row[key], 0);
    const kinds = [...Map.groupBy(rows, ({ kind }) => kind)].map(
      ([kind, of]) =>
        `  ${kind.padEnd(12)} ${String(of.length).padStart(4)} files  ${seconds(sum(of, "setUp")).padStart(8)}  ${seconds(sum(of, "bodies")).padStart(8)}`,
    );
    const longest = rows
      .toSorted((a, b) => b.setUp + b.bodies - a.setUp - a.bodies)
      .slice(0, 30)
      .map(({ file, setUp, bodies }) => `  ${seconds(setUp + bodies).padStart(6)}  ${file}`);
    const lines = [
      "",
      "Seconds over all workers: set-up, bodies",
      ...kinds,
      "The longest files",
      ...longest,
      "",
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}
