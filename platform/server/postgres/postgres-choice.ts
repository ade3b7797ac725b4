import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { findBinaries, type Binaries, type Identity } from "./postgres-binaries.ts";
import { SERVER_ENV } from "./postgres-folder.ts";

/** `passed`: what was looked at before and not taken, a reason each. */
export type Chosen = Binaries & { passed: string[] };

/** The lowest server version that has all that the SQL uses. */
export const OLDEST = 15;
/** Those that migrations create. */
const EXTENSIONS = ["pg_trgm", "btree_gist"];

/** Where packagers put the programs of each major version, in `bin` below: Debian and Ubuntu, PGDG on Red Hat, Homebrew. */
const PLACES: readonly [folder: string, version: RegExp][] = [
  ["usr/lib/postgresql", /^(\d+)$/],
  ["usr", /^pgsql-(\d+)$/],
  ["opt/homebrew/opt", /^postgresql@(\d+)$/],
  ["usr/local/opt", /^postgresql@(\d+)$/],
  ["home/linuxbrew/.linuxbrew/opt", /^postgresql@(\d+)$/],
];

/** Folders of installed programs: where packagers put them, newest first, then those on the PATH. */
export function installedFolders(root = "/", searched = process.env.PATH ?? ""): string[] {
  const known = PLACES.flatMap(([folder, version]) => {
    const at = path.join(root, folder);
    return (fs.existsSync(at) ? fs.readdirSync(at) : []).flatMap((name) => {
      const major = version.exec(name)?.[1];
      return major ? [{ major: Number(major), bin: path.join(at, name, "bin") }] : [];
    });
  }).toSorted((a, b) => b.major - a.major);
  const onPath = searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [
    ...new Set(
      [...known.map(({ bin }) => bin), ...onPath]
        .map((bin) => path.join(bin, "postgres"))
        .filter((postgres) => fs.existsSync(postgres))
        // a link leads to the folder with initdb beside it
        .map((postgres) => path.dirname(fs.realpathSync(postgres))),
    ),
  ];
}

/**
 * The programs to run the server on, by the setting POSTGRES_BIN. A data directory that exists keeps its major version:
 * it decides, and programs of that version are taken wherever they are. Throws a sentence where there are none.
 */
export function chooseBinaries(
  data: string,
  identity: Identity,
  bin = "embedded",
  installed: () => string[] = installedFolders,
): Chosen {
  const written = majorOf(data);
  const wanted = bin === "installed" ? [...installed(), "embedded"] : [bin];
  const places = new Set(written ? [...wanted, "embedded", ...installed()] : wanted);
  const passed: string[] = [];
  for (const place of places) {
    const found = place === "embedded" ? packaged(identity) : inspect(place, identity);
    if (typeof found === "string") passed.push(found);
    else if (written && found.major !== written)
      passed.push(`${found.folder} is PostgreSQL ${found.version}`);
    else return { ...found, passed };
  }
  const seen = passed.join("; ").replace(/\.$/, "");
  if (written)
    throw new Error(
      `${data} was written by PostgreSQL ${written}, which is not on this machine (${seen}): install PostgreSQL ${written}, or back up where it still runs and restore into an empty DATA_DIR.`,
    );
  throw new Error(
    bin === "embedded" || bin === "installed" ? `${seen}.` : `POSTGRES_BIN cannot be used: ${seen}.`,
  );
}

/** The version that a data directory belongs to, 0 when there is none. */
function majorOf(data: string): number {
  const version = path.join(data, "PG_VERSION");
  return fs.existsSync(version) ? Number.parseInt(fs.readFileSync(version, "utf8")) : 0;
}

function packaged(identity: Identity): Binaries | string {
  try {
    return findBinaries(identity);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The programs in a folder, or why they will not do. */
function inspect(folder: string, identity: Identity): Binaries | string {
  const postgres = path.join(folder, "postgres");
  const initdb = path.join(folder, "initdb");
  const version = /\(PostgreSQL\) (.+)/.exec(run(postgres, ["--version"], identity))?.[1] ?? "";
  const major = Number.parseInt(version);
  if (!major) return `${postgres} cannot be run`;
  if (major < OLDEST) return `${folder} is PostgreSQL ${version}, older than ${OLDEST}`;
  // it makes nothing, it only says where its files are
  const share = /^share_path=(.+)$/m.exec(run(initdb, ["--show", "-D", "/nonexistent"], identity))?.[1];
  if (!share) return `${initdb} cannot be run`;
  const missing = EXTENSIONS.find((name) => !fs.existsSync(path.join(share, "extension", `${name}.control`)));
  if (missing) return `${folder} lacks the extension ${missing}`;
  if (!fs.readFileSync(postgres).includes("ucol_open")) return `${folder} was built without ICU`;
  return { folder, initdb, postgres, major, version };
}

function run(program: string, args: string[], identity: Identity): string {
  const options = { ...identity, env: SERVER_ENV, cwd: "/", encoding: "utf8", timeout: 10_000 } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return status === 0 ? `${stdout}\n${stderr}` : "";
}
