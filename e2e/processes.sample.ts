import fs from "node:fs";

const running = () => fs.readdirSync("/proc").filter((pid) => /^\d+$/.test(pid));

/** What `/proc` says of a process; empty where it is gone. */
function told<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Without a word; who is gone already is no error. */
export const kill = (pids: readonly string[]): void => {
  for (const pid of pids) told(() => process.kill(Number(pid), "SIGKILL"));
};

/** Those that work in this folder. */
export const processesIn = (folder: string): string[] =>
  running().filter((pid) => told(() => fs.readlinkSync(`/proc/${pid}/cwd`))?.startsWith(folder));

export const commandOf = (pid: string): string | undefined =>
  told(() => fs.readFileSync(`/proc/${pid}/cmdline`, "utf8"));

const parentOf = (pid: string) =>
  told(() => fs.readFileSync(`/proc/${pid}/stat`, "utf8"))
    ?.split(") ")[1]
    ?.split(" ")[1];
export const childrenOf = (parent: number): string[] =>
  running().filter((pid) => parentOf(pid) === String(parent));
