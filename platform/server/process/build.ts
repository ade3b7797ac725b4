import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { writeAhead } from "../http/preload.ts";
import { command } from "./command.ts";
import { buildManual } from "../manual/manual.ts";
import { ROOT } from "./settings.ts";

/** Everything that the console is made from and by; the server's files may change without a new build. */
const SOURCES = [
  "{index.html,esign.html,esign.ts,console.tsx,screens.ts,vite.config.ts,package-lock.json,platform/server/{process/build,http/preload}.ts}",
  "{screens,public,brands,platform/kernel,platform/console,domains}/**/*.*",
];
const SERVER_ONLY = /\.(server|service|queries|job|sample|test)\.tsx?$|\.md$/;

/** Builds the console into dist/console, unless nothing that it is made from has changed since the last time. */
export async function buildConsole(root: string = ROOT): Promise<"built" | "current" | "nothing to build"> {
  if (!fs.existsSync(path.join(root, "index.html"))) return "nothing to build";
  const out = path.join(root, "dist/console");
  const kept = `${out}.stamp`;
  const stamp = stampOfSources(root);
  if (fs.existsSync(out) && fs.existsSync(kept) && fs.readFileSync(kept, "utf8") === stamp) {
    await layManual(root, out);
    return "current";
  }
  const { build } = await import("vite");
  // built aside and put in place when whole: a running server goes on serving the old one until then
  const fresh = `${out}.new`;
  await forPeople(() => build({ root, logLevel: "warn", build: { outDir: fresh, emptyOutDir: true } }));
  await writeAhead(root, fresh);
  await compress(fresh);
  await layManual(root, fresh);
  fs.rmSync(out, { recursive: true, force: true });
  fs.renameSync(fresh, out);
  fs.writeFileSync(kept, stamp);
  return "built";
}

/** The manual lies beside the pages, and may be made anew without them. */
async function layManual(root: string, folder: string): Promise<void> {
  const manual = await buildManual(root);
  if (manual) fs.copyFileSync(manual, path.join(folder, "manual.pdf"));
}

/** Where NODE_ENV says something else, as under a test, the component library would come in its slow, large edition. */
async function forPeople(work: () => Promise<unknown>): Promise<void> {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}

function stampOfSources(root: string): string {
  const hash = crypto.createHash("sha256");
  const files = SOURCES.flatMap((glob) => fs.globSync(glob, { cwd: root }));
  for (const file of files.filter((name) => !SERVER_ONLY.test(name)).toSorted()) {
    if (!fs.statSync(path.join(root, file)).isFile()) continue;
    hash
      .update(file)
      .update("\0")
      .update(fs.readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);

/** Files that never change are compressed once here, as small as can be, and not at every request. */
async function compress(folder: string): Promise<void> {
  const files = fs
    .globSync("assets/**/*.{js,css,svg,json}", { cwd: folder })
    .map((file) => path.join(folder, file));
  const small = async (file: string) => {
    const body = fs.readFileSync(file);
    if (body.length < 1024) return;
    fs.writeFileSync(`${file}.gz`, await gzip(body, { level: 9 }));
    fs.writeFileSync(`${file}.br`, await brotli(body));
  };
  await Promise.all(files.map(small));
}

await command(import.meta, async () => {
  const began = performance.now();
  if ((await buildConsole()) === "built")
    process.stderr.write(`The console was built in ${((performance.now() - began) / 1000).toFixed(1)} s.\n`);
});
