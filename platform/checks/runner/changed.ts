import { spawnSync } from "node:child_process";
import { domainOf, roleOf } from "../house.ts";
import { sourceOf, type Source } from "../imports.ts";
import { madeIn, ownersOf, usesOf } from "../owners.ts";
import { filesOf, isCode, isGenerated, isTest, ROOT, textOf } from "../tree.ts";

/** Checks about the whole house that take a moment, run with every change. */
export const QUICK: readonly string[] = [
  "names",
  "walls",
  "sizes",
  "words",
  "owners",
  "appearance",
  "calls/free-text",
  "statements",
].map((name) => `platform/checks/${name}.test.ts`);

/** From one noun to another so many times: what lies farther is left to the whole run. */
const FAR = 1;

type House = {
  sources: readonly Source[];
  /** Which files use which table, view or function of the database, by name. */
  users: (names: readonly string[]) => readonly string[];
  /** What a file of SQL makes or changes. */
  made: (file: string) => readonly string[];
  text: (file: string) => string;
};

/**
 * The tests that a change can reach: those that import what changed, directly or through others of at most one noun more; those that name a call
 * whose handler is reached; those of the noun whose job is; for SQL, those of the code that uses what it makes; and the stories of a page that is reached.
 */
export function reachedBy(changed: readonly string[], { sources, users, made, text }: House): string[] {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of sources)
    for (const { to, lazy } of imports) if (!lazy) importers.set(to, [...(importers.get(to) ?? []), path]);
  const bySql = changed.filter((file) => file.endsWith(".sql")).flatMap((file) => users(made(file)));
  const steps = new Map<string, number>();
  const reach = (file: string, step: number) => {
    if (step > FAR || (steps.get(file) ?? FAR + 1) <= step) return;
    steps.set(file, step);
    for (const from of importers.get(file) ?? [])
      reach(from, nounOf(from) === nounOf(file) ? step : step + 1);
  };
  for (const file of [...changed, ...bySql]) reach(file, 0);
  const reached = new Set(steps.keys());

  // handlers are found by their names, not by imports: tests name the calls that they serve
  const served = new Set(
    sources
      .filter(({ path }) => reached.has(path) && ["server", "job"].includes(roleOf(path) ?? ""))
      .flatMap(({ path, imports }) =>
        imports.map(({ to }) => to).filter((to) => roleOf(to) === "contract" && nounOf(to) === nounOf(path)),
      ),
  );
  // jobs are found by their role alone, and events start them: the tests of their noun do what starts them
  const working = new Set([...reached].filter((file) => roleOf(file) === "job").map(nounOf));
  const pages = new Set([...reached].filter((file) => roleOf(file) === "page" && !isTest(file)));
  const paths = sources
    .filter(({ path }) => path.startsWith("screens/"))
    .flatMap(({ path, imports }) =>
      imports.filter(({ to, lazy }) => lazy && pages.has(to)).map(({ to }) => addressOf(text(path), to)),
    );
  const tests = sources.filter(({ path }) => isTest(path));
  const names = ({ path, imports }: Source) =>
    path.startsWith("e2e/")
      ? paths.some((address) => address && text(path).includes(address))
      : imports.some(({ to }) => served.has(to));
  return [
    ...new Set([
      ...QUICK,
      ...tests
        .filter((test) => reached.has(test.path) || working.has(nounOf(test.path)) || names(test))
        .map(({ path }) => path),
    ]),
  ].toSorted();
}

const nounOf = (file: string) => file.split("/").slice(0, 3).join("/");

/** The last address before the line that loads a page. */
export const addressOf = (table: string, page: string): string | undefined => {
  const at = table.indexOf(page.replace(/^domains/, "../domains"));
  return [...table.slice(0, at).matchAll(/"(\/[^"]*)"/g)].at(-1)?.[1];
};

/** What a file of SQL makes, or makes otherwise than it was. */
const touchedIn = (text: string): string[] => [
  ...madeIn(text).map(([name]) => name),
  ...[...text.matchAll(/^\s*alter table (?:only )?(\w+)/gim)].map((m) => m[1]!),
];

/** What differs from a commit: changed, added or not yet known to git. */
function differing(base: string): string[] {
  const git = (...args: string[]) =>
    spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout.split("\n").filter(Boolean);
  return [...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")];
}

/** The test files that what differs from a commit can reach. */
export const testsOfChange = (base: string): string[] => reachOf()(differing(base));

/** Which test files a change of some files can reach; the tree is read once. */
export function reachOf(): (changed: readonly string[]) => string[] {
  const paths = filesOf();
  const sources = paths
    .filter((path) => isCode(path) && !isGenerated(path))
    .map((path) => sourceOf(path, textOf(path)));
  const texts = paths
    .filter((path) => /^(db|domains|platform\/server)\/.*\.(ts|sql)$/.test(path))
    .map((path) => ({ path, text: textOf(path) }));
  const owners = ownersOf(texts);
  let read: { path: string; text: string; of: ReadonlySet<string> }[] | undefined;
  // every text is parsed for it: only where SQL has changed
  const uses = () =>
    (read ??= texts.map((each) => ({ ...each, of: new Set(usesOf(each, owners).map(({ name }) => name)) })));
  /** With the routines that use them, and those that use these. */
  const withRoutines = (names: readonly string[]): string[] => {
    const more = uses()
      .filter(({ path, of }) => path.startsWith("db/routines/") && names.some((name) => of.has(name)))
      .flatMap(({ text }) => madeIn(text).map(([name]) => name));
    const all = [...new Set([...names, ...more])];
    return all.length > names.length ? withRoutines(all) : all;
  };
  const house: House = {
    sources,
    text: (file) => textOf(file),
    made: (file) => touchedIn(textOf(file)),
    users: (names) => {
      if (!names.length) return [];
      const all = withRoutines(names);
      return uses()
        .filter(({ path, of }) => domainOf(path) && all.some((name) => of.has(name)))
        .map(({ path }) => path);
    },
  };
  return (changed) => reachedBy(changed, house);
}
