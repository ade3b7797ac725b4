import fs from "node:fs";
import { isAlive } from "./postgres-folder.ts";

/** The process that answers for the server. A process id alone would not do: after a restart of a container it is a stranger's. */
type Owner = { pid: number; born: string };

/** When a process was started, in the system's own ticks; the same process id with another birth is another process. */
function born(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function read(file: string): Owner | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

const same = (a: Owner, b: Owner) => a.pid === b.pid && a.born === b.born;
const ourselves = (): Owner => ({ pid: process.pid, born: born(process.pid) });

export const isOwner = (file: string): boolean => {
  const owner = read(file);
  return owner !== undefined && same(owner, ourselves());
};

/** Takes the server over unless a living process answers for it. */
export function claim(file: string): void {
  const owner = read(file);
  if (owner && isAlive(owner.pid) && born(owner.pid) === owner.born) return;
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(ourselves()), { mode: 0o600 });
  fs.renameSync(draft, file);
}

export const release = (file: string): void => fs.rmSync(file, { force: true });
