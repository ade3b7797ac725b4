import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { brand } from "../../../brands/default.ts";
import { command } from "../process/command.ts";
import { chaptersOf } from "./manual-text.ts";
import { ROOT } from "../process/settings.ts";

/** Everything that the manual is made from and by. */
const SOURCES = [
  "docs/manual/**/*.{md,png}",
  "platform/server/manual/*.ts",
  "brands/default.ts",
  "package.json",
];

function stampOf(root: string): string {
  const hash = crypto.createHash("sha256");
  for (const file of SOURCES.flatMap((glob) => fs.globSync(glob, { cwd: root })).toSorted())
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(path.join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

/**
 * Makes dist/manual.pdf from docs/manual, unless nothing that it is made from has changed since. The same chapters give
 * the same bytes. Answers the file, or nothing where there are no chapters.
 */
export async function buildManual(root: string = ROOT): Promise<string | undefined> {
  const folder = path.join(root, "docs/manual");
  if (!fs.existsSync(folder)) return undefined;
  const file = path.join(root, "dist/manual.pdf");
  const [kept, stamp] = [`${file}.stamp`, stampOf(root)];
  if (fs.existsSync(file) && fs.existsSync(kept) && fs.readFileSync(kept, "utf8") === stamp) return file;
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const { printManual } = await import("./manual-print.ts");
  const title = `${brand.productTitle}使用手册`;
  const pdf = await printManual(chaptersOf(folder), {
    title,
    owner: brand.productTitle,
    version: `v${version}`,
  });
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.new`, pdf);
  fs.renameSync(`${file}.new`, file);
  fs.writeFileSync(kept, stamp);
  return file;
}

await command(import.meta, () => buildManual());
