import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { PAGE_FUNCTIONS } from "../../domains/access/function/pages.rules.ts";
import { command } from "../server/process/command.ts";
import { readMigrations } from "../server/database/migrate.ts";
import { ROOT } from "../server/process/settings.ts";
import { DOMAINS } from "./house.ts";

/** The templates are written about parking spaces, so that they read like the files they become. */
const TEMPLATES = path.join(import.meta.dirname, "noun");

export type Noun = {
  domain: string;
  /** In small letters with hyphens: parking-space. */
  name: string;
  /** In the trade's own word: 停车位. */
  title: string;
  /** Code of the page whose permits its calls need. */
  code: number;
};

const camel = (name: string) => name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const plural = (name: string) =>
  /[^aeiou]y$/.test(name) ? name.replace(/y$/, "ies") : /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
const pascal = (name: string) => camel(`-${name}`);

/** Every spelling of the sample's words, longest first, with what takes its place. */
function spellings({ domain, name, title, code }: Noun): [from: string, to: string][] {
  const many = plural(name);
  return [
    ["parking-spaces", many],
    ["parkingSpaces", camel(many)],
    ["ParkingSpaces", pascal(many)],
    ["parking-space", name],
    ["parking_space", name.replaceAll("-", "_")],
    ["parkingSpace", camel(name)],
    ["ParkingSpace", pascal(name)],
    ["停车位", title],
    ["theDomain", domain],
    ["9999", String(code)],
  ];
}

/** The files of a new noun: path in the product, and content. */
export function filesOf(noun: Noun, root: string = ROOT): [file: string, body: string][] {
  if (!(DOMAINS as readonly string[]).includes(noun.domain))
    throw new Error(`There is no domain ${noun.domain}; there are ${DOMAINS.join(", ")}.`);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(noun.name))
    throw new Error(
      `${noun.name} is not the name of a noun: small letters with hyphens, one thing, such as parking-space.`,
    );
  const last = readMigrations(path.join(root, "db")).at(-1)!.name;
  const number = String(Number(last.slice(0, 4)) + 1).padStart(4, "0");
  const words = spellings(noun);
  const written = (template: string) =>
    words.reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      fs.readFileSync(path.join(TEMPLATES, `${template}.template`), "utf8"),
    );
  const folder = `domains/${noun.domain}/${noun.name}`;
  return [
    [`db/migrations/${number}-${noun.name}.sql`, written("migration.sql")],
    [`${folder}/${noun.name}.contract.ts`, written("contract.ts")],
    [`${folder}/${noun.name}.server.ts`, written("server.ts")],
    [`${folder}/${plural(noun.name)}.page.tsx`, written("page.tsx")],
    [`${folder}/${noun.name}.server.test.ts`, written("server.test.ts")],
  ];
}

/** The line that gives the page its place in screens/; menu, path and title come from the table of pages. */
export function screenOf({ domain, name, code }: Noun): string {
  const pages = PAGE_FUNCTIONS.filter(([known, menu]) => known === code && menu);
  const [, menu, title, at] = pages[0] ?? [];
  const parent = PAGE_FUNCTIONS.find(([known]) => known === menu);
  if (!parent)
    throw new Error(
      `There is no page ${code} in domains/access/function/pages.rules.ts: give it a line there first.`,
    );
  return [
    `// const page = pageIn("${parent[3]}");`,
    `{ ...page("${at}", "${title}", [${code}]), load: () => import("../domains/${domain}/${name}/${plural(name)}.page.tsx") },`,
  ].join("\n   ");
}

await command(import.meta, async (args) => {
  const [place = "", title = "", code = ""] = args;
  const [domain = "", name = ""] = place.split("/");
  if (!name || !title || !/^\d{1,4}$/.test(code))
    throw new Error(
      "Say where it belongs, what it is called and the code of its page: npm run new service/parking-space 停车位 54",
    );
  const noun = { domain, name, title, code: Number(code) };
  const screen = screenOf(noun);
  const files = filesOf(noun);
  const taken = files.find(([file]) => fs.existsSync(path.join(ROOT, file)));
  if (taken) throw new Error(`${taken[0]} is there already.`);
  for (const [file, body] of files) {
    fs.mkdirSync(path.dirname(path.join(ROOT, file)), { recursive: true });
    fs.writeFileSync(path.join(ROOT, file), body);
    process.stdout.write(`${file}\n`);
  }
  const sources = files.map(([file]) => file).filter((file) => /\.tsx?$/.test(file));
  spawnSync(process.execPath, [path.join(ROOT, "node_modules/oxfmt/bin/oxfmt"), ...sources], { cwd: ROOT });
  process.stdout.write(`
They work as they are. Now:
1. npm run types
2. a line in the list of its menu in screens/:
   ${screen}
3. npm test -- domains/${domain}/${name}
`);
});
