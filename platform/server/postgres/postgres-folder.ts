import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import crypto from "node:crypto";
import { sharedFolder, type Binaries, type Identity } from "./postgres-binaries.ts";

/** The longest path that the system takes for a unix socket, in bytes. */
const SOCKET_PATH_MAX = os.platform() === "darwin" ? 103 : 107;
const SOCKET = ".s.PGSQL.5432";
const LOG_MAX = 10_000_000;

/** Everything the server keeps: `data` is its own, the rest lies beside it. */
export type Folder = { home: string; data: string; socket: string; log: string; owner: string };

/** The environment of the server's programs: nothing of ours leaks into it, and its messages are in English. */
export const SERVER_ENV = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C.UTF-8", TZ: "UTC" };

const own = (at: string, identity: Identity) => {
  if (identity.uid !== undefined) fs.chownSync(at, identity.uid, identity.gid ?? identity.uid);
};

const passable = (at: string, identity: Identity) =>
  identity.uid === undefined ||
  spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", at], { ...identity, cwd: "/" }).status === 0;

/** Opens the server's folder, mode 0700. Where its user cannot pass (below a private home), the folder is kept elsewhere and linked. */
export function openFolder(dir: string, identity: Identity): Folder {
  fs.mkdirSync(dir, { recursive: true });
  let home = fs.realpathSync(dir);
  own(home, identity);
  fs.chmodSync(home, 0o700);
  if (!passable(home, identity)) {
    if (fs.readdirSync(home).length)
      throw new Error(
        `${home} lies in a folder that the database's user may not enter: move it out, or set DATA_DIR.`,
      );
    const elsewhere = fs.mkdtempSync(path.join(sharedFolder(), "data-"));
    own(elsewhere, identity);
    fs.rmdirSync(home);
    fs.symlinkSync(elsewhere, home);
    home = elsewhere;
  }
  return {
    home,
    data: path.join(home, "data"),
    socket: socketFolder(home, identity),
    log: path.join(home, "postgres.log"),
    owner: path.join(home, "owner.json"),
  };
}

/** The socket stands in the server's own folder, or, where that path is too long for the system, in a private one. */
function socketFolder(home: string, identity: Identity): string {
  if (Buffer.byteLength(path.join(home, SOCKET)) <= SOCKET_PATH_MAX) return home;
  const name = `sams-${crypto.createHash("sha256").update(home).digest("hex").slice(0, 16)}`;
  const roomy = Buffer.byteLength(path.join(os.tmpdir(), name, SOCKET)) <= SOCKET_PATH_MAX;
  const place = path.join(roomy ? os.tmpdir() : "/tmp", name);
  fs.mkdirSync(place, { recursive: true, mode: 0o700 });
  const { uid } = fs.lstatSync(place);
  // a folder of another user in a world-writable place: its owner could answer in the server's stead
  if (uid !== process.getuid?.() && uid !== identity.uid)
    throw new Error(`${place} belongs to another user; remove it.`);
  own(place, identity);
  fs.chmodSync(place, 0o700);
  return place;
}

/** Makes the data directory, whole or not at all: a power cut in the middle leaves nothing that looks finished. */
export function createCluster(folder: Folder, binaries: Binaries, identity: Identity, user: string): boolean {
  const version = path.join(folder.data, "PG_VERSION");
  if (fs.existsSync(version)) return false;
  const fresh = path.join(folder.home, `data.new-${process.pid}`);
  fs.rmSync(fresh, { recursive: true, force: true });
  const locale = ["--encoding=UTF8", "--locale=C.UTF-8"];
  // byte order never changes with an upgrade of the system's C library; before 17 only the classes of characters are the library's
  const provider =
    binaries.major >= 17
      ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
      : ["--locale-provider=libc", "--lc-collate=C", "--lc-ctype=C.UTF-8"];
  const args = ["-D", fresh, "-U", user, "--auth=trust", ...locale, ...provider, "--no-instructions"];
  try {
    execFileSync(binaries.initdb, args, { ...identity, env: SERVER_ENV, cwd: folder.home, stdio: "pipe" });
    fs.renameSync(fresh, folder.data);
    return true;
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    // another process was quicker
    if (fs.existsSync(version)) return false;
    const said = (error as { stderr?: Buffer }).stderr?.toString().trim();
    throw new Error(`The data directory could not be made: ${said || String(error)}`, { cause: error });
  }
}

/** The postgres processes that live in the data directory: each has it as its working directory, a dead one has none. */
export function holders(data: string): number[] {
  if (os.platform() !== "linux") {
    const pid = lockedBy(data);
    return pid && isAlive(pid) ? [pid] : [];
  }
  return fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && holds(pid, data));
}

export function holds(pid: number, data: string): boolean {
  if (os.platform() !== "linux") return isAlive(pid);
  try {
    if (fs.readlinkSync(`/proc/${pid}/cwd`) !== data) return false;
    return fs.readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The process id in the server's lock file, 0 when there is none. */
export function lockedBy(data: string): number {
  try {
    return Number(fs.readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return 0;
  }
}

/**
 * After kill -9 or a power cut the lock files stay, and their process id may belong to a stranger by now, which makes
 * the server refuse to start. They are stale when no process lives in the data directory; with one alive they must
 * stay, for they guard its shared memory.
 */
export function removeStaleLocks(folder: Folder): void {
  if (holders(folder.data).length) return;
  for (const lock of [path.join(folder.data, "postmaster.pid"), path.join(folder.socket, `${SOCKET}.lock`)])
    fs.rmSync(lock, { force: true });
}

/** Keeps the log from filling the disk: beyond 10 MB it moves aside, and one older part is kept. */
export function rotateLog(log: string): void {
  if (!fs.existsSync(log) || fs.statSync(log).size < LOG_MAX) return;
  // copied and cut, not renamed: the running server goes on writing to the same open file
  fs.copyFileSync(log, `${log}.1`);
  fs.truncateSync(log);
}

export function endOfLog(log: string): string {
  const text = fs.existsSync(log) ? fs.readFileSync(log, "utf8") : "";
  return text.trim().split("\n").slice(-8).join("\n");
}
