import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

/**
 * Which files of the built console each of its pages needs. The page names them itself, so that a browser fetches them
 * side by side at once, and not one after the other as each script finds out what it imports.
 */
export type Ahead = {
  /** The frame around every page behind the login. */
  shell: readonly string[];
  /** Files by the page's path; `open` is the page of somebody who is not signed in. */
  pages: Readonly<Record<string, { files: readonly string[]; open: boolean }>>;
};

export const NOTHING: Ahead = { shell: [], pages: {} };
const LOGIN = "/user/login";
const SHELL = "platform/console/shell/shell.tsx";
export const tableIn = (folder: string) => path.join(folder, ".vite/ahead.json");

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
    isEntry: z.boolean().default(false),
  }),
);
type Manifest = z.output<typeof manifest>;

/** The files of a chunk and of all that it imports; what the first page names anyhow is left out. */
function filesOf(chunks: Manifest, key: string, known: ReadonlySet<string>): string[] {
  const seen = new Set<string>();
  const files = new Set<string>();
  const walk = (at: string) => {
    const chunk = chunks[at];
    if (!chunk || seen.has(at)) return;
    seen.add(at);
    chunk.imports.forEach(walk);
    for (const file of [chunk.file, ...chunk.css]) if (!known.has(file)) files.add(file);
  };
  walk(key);
  return [...files];
}

/** Writes the table beside a fresh build, from its manifest and the table of screens. */
export async function writeAhead(root: string, folder: string): Promise<void> {
  const [from, table] = [path.join(folder, ".vite/manifest.json"), path.join(root, "screens.ts")];
  if (!existsSync(from) || !existsSync(table)) return;
  const chunks = manifest.parse(JSON.parse(readFileSync(from, "utf8")));
  const entry =
    "index.html" in chunks ? "index.html" : Object.keys(chunks).find((key) => chunks[key]!.isEntry);
  const known = new Set(entry ? filesOf(chunks, entry, new Set()) : []);
  const { house } = (await import(pathToFileURL(table).href)) as {
    house: { screens: { path: string; kind: string; load: () => unknown }[] };
  };
  const pages = house.screens.flatMap(({ path: at, kind, load }) => {
    // the table of screens says by an import where a page lies, whatever has translated it
    const source = /["'`][./]*((?:domains|platform)\/[^"'`]+)["'`]/.exec(String(load))?.[1];
    return source ? [[at, { files: filesOf(chunks, source, known), open: kind === "public" }] as const] : [];
  });
  const ahead: Ahead = { shell: filesOf(chunks, SHELL, known), pages: Object.fromEntries(pages) };
  await writeFile(tableIn(folder), JSON.stringify(ahead));
}

export const readAhead = (folder: string): Ahead =>
  existsSync(tableIn(folder)) ? (JSON.parse(readFileSync(tableIn(folder), "utf8")) as Ahead) : NOTHING;

/** What the browser will need for this path: without a login everything but an open page leads to the login. */
export function filesFor({ shell, pages }: Ahead, at: string, signedIn: boolean): string[] {
  const page = pages[at];
  if (page?.open) return [...page.files];
  if (!signedIn) return [...(pages[LOGIN]?.files ?? [])];
  return [...new Set([...shell, ...(page?.files ?? [])])];
}

/** The page's own words for it. Styles are fetched only; whatever uses them puts them in force. */
export const linksTo = (files: readonly string[]): string =>
  files
    .map((file) =>
      file.endsWith(".css")
        ? `<link rel="preload" as="style" crossorigin href="/sams/${file}">`
        : `<link rel="modulepreload" crossorigin href="/sams/${file}">`,
    )
    .join("");
