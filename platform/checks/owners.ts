import path from "node:path";
import { parseSync } from "vite";
import { domainOf } from "./house.ts";

/** A table, view or function of the database that a piece of code reads or writes. */
export type Use = { path: string; line: number; name: string; how: "read" | "write" };
/** `published`: made in the file of what its owner shows to domains on its left. */
export type Owned = { domain: string; kind: "table" | "view" | "function"; published: boolean };
/** Who owns what, by name; the domains in the order of the files of tables. */
export type Owners = { order: readonly string[]; owned: ReadonlyMap<string, Owned> };

type Text = { path: string; text: string };

/** What a text of SQL makes, with its kind. */
export const madeIn = (text: string): (readonly [name: string, kind: Owned["kind"]])[] =>
  [...bare(text).matchAll(/^\s*create (?:or replace )?(?:unlogged )?(table|view|function) (\w+)/gim)].map(
    ([, kind, name]) => [name!, kind!.toLowerCase() as Owned["kind"]],
  );

/**
 * The folder that makes something owns it: `db/tables/0005-approval.sql`, `db/routines/approval/….sql`. A table that a migration
 * has made is the domain's that puts rows into it; of several the leftmost's, so that the others reach into it.
 */
export function ownersOf(files: readonly Text[]): Owners {
  const tables = files.filter(({ path: file }) => file.startsWith("db/tables/"));
  const owned = new Map<string, Owned>();
  const add = (domain: string, text: string, published = false) => {
    for (const [name, kind] of madeIn(text)) owned.set(name, { domain, kind, published });
  };
  const domainOfTables = (file: string) => path.basename(file).slice(5, -4);
  for (const { path: file, text } of tables) add(domainOfTables(file), text);
  for (const { path: file, text } of files)
    if (file.startsWith("db/routines/"))
      add(file.split("/")[2]!, text, /\/published(\.view)?\.sql$/.test(file));
  const order = tables.map(({ path: file }) => domainOfTables(file));
  const fillers = fillersOf(files);
  for (const { text } of files.filter((each) => each.path.startsWith("db/migrations/")))
    for (const [name, kind] of madeIn(text)) {
      const domain = order.find((each) => fillers.get(name)?.has(each));
      if (kind === "table" && domain && !owned.has(name)) owned.set(name, { domain, kind, published: false });
    }
  return { order, owned };
}

/** What puts rows into a table by its name: a statement, the declaration of an import, a sum that the database keeps. */
const FILLS =
  /insertInto\(\s*"(\w+)"|\binsert into (\w+)|\bcopy (\w+)|\btable: "(\w+)"|\bcall keep_sum\('(\w+)'/gi;

/** The domains that put rows into each table. */
function fillersOf(files: readonly Text[]): Map<string, Set<string>> {
  const fillers = new Map<string, Set<string>>();
  for (const { path: file, text } of files) {
    const domain = /^db\/(tables|migrations)\//.test(file) ? undefined : userOf(file);
    if (!domain) continue;
    for (const [, ...names] of text.matchAll(FILLS)) {
      const name = snake(names.find((each) => each !== undefined)!);
      fillers.set(name, (fillers.get(name) ?? new Set()).add(domain));
    }
  }
  return fillers;
}

/** SQL without its comments, lines kept. */
const bare = (sql: string) =>
  sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, (text) => text.replace(/[^\n]/g, " "));

const NAME = String.raw`(?:public\.)?"?(\w+)"?`;
const WRITES = new RegExp(
  String.raw`\b(?:insert\s+into|update(?:\s+only)?|delete\s+from|truncate|copy)\s+${NAME}`,
  "gi",
);
const READS = new RegExp(String.raw`\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?${NAME}`, "gi");
/** `from a x, b y`: what follows the first. */
const LISTED = /\bfrom\s+\w+(?:\s+(?:as\s+)?\w+)?((?:\s*,\s*\w+(?:\s+(?:as\s+)?\w+)?)+)/gi;
const CALLS = /\b(\w+)\s*\(/g;

/** What a text of SQL uses of what is owned. */
export function usesIn(sql: string, { owned }: Owners): { at: number; name: string; how: Use["how"] }[] {
  const text = bare(sql);
  const uses = new Map<string, { at: number; name: string; how: Use["how"] }>();
  const see = (name: string, at: number, how: Use["how"], ofKind: (kind: Owned["kind"]) => boolean) => {
    const thing = owned.get(name);
    if (thing && ofKind(thing.kind)) uses.set(`${name}@${at}`, { at, name, how });
  };
  const rows = (kind: Owned["kind"]) => kind !== "function";
  const at = (m: RegExpMatchArray) => m.index! + m[0].length - m[1]!.length;
  for (const m of text.matchAll(READS)) see(m[1]!, at(m), "read", rows);
  for (const m of text.matchAll(LISTED))
    for (const [, name] of m[1]!.matchAll(/,\s*(\w+)/g)) see(name!, m.index, "read", rows);
  for (const m of text.matchAll(WRITES)) see(m[1]!, at(m), "write", rows);
  for (const m of text.matchAll(CALLS)) see(m[1]!, m.index, "read", (kind) => kind === "function");
  return [...uses.values()];
}

const READERS = /^(selectFrom|(inner|left|right|full|cross)Join(Lateral)?|from|using|leftJoin)$/;
const WRITERS = /^(insertInto|updateTable|deleteFrom|mergeInto|replaceInto)$/;
/** platform/server/database/versioned.ts: the second argument is the table. */
const VERSIONED = /^(revise|removeAt)$/;
/** platform/server/database/row.ts: so it is here. */
const OF_ONE_ROW = /^(aRow|theRow)$/;

type Node = { type: string; start: number; [key: string]: unknown };

/** What a file of TypeScript uses: in the calls of the query builder, and in its texts of SQL. */
export function usesOf({ path: file, text }: Text, owners: Owners): Use[] {
  if (file.endsWith(".sql"))
    return usesIn(text, owners).map(({ at, name, how }) => ({
      path: file,
      line: lineOf(text, at),
      name,
      how,
    }));
  const { program, errors } = parseSync(file, text);
  if (errors.length) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const uses: Use[] = [];
  const own = new Set<string>();
  const found = (name: string, at: number, how: Use["how"]) =>
    uses.push({ path: file, line: lineOf(text, at), name, how });
  const table = (node: Node, how: Use["how"]) => {
    if (node.type === "ArrayExpression") for (const each of node.elements as Node[]) table(each, how);
    if (node.type !== "Literal" || typeof node.value !== "string") return;
    const name = snake(node.value.split(" ")[0]!);
    const thing = owners.owned.get(name);
    if (thing && thing.kind !== "function" && !own.has(name)) found(name, node.start, how);
  };
  for (const [, name] of text.matchAll(/\.with\(\s*"(\w+)/g)) own.add(snake(name!));
  const walk = (node: Node) => {
    if (node.type === "CallExpression") {
      const callee = node.callee as Node;
      const called = callee.type === "MemberExpression" ? ((callee.property as Node).name as string) : "";
      const [first, second] = node.arguments as Node[];
      if (first && READERS.test(called)) table(first, "read");
      if (first && WRITERS.test(called)) table(first, "write");
      if (second && VERSIONED.test(callee.name as string)) table(second, "write");
      if (second && OF_ONE_ROW.test(callee.name as string)) table(second, "read");
      if (second && callee.name === "serveRecord")
        for (const part of (second.properties ?? []) as { key?: Node; value: Node }[])
          if (part.key?.name === "table") table(part.value, "write");
    }
    if (node.type === "TemplateLiteral") {
      const text = (node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw).join(" $ ");
      for (const { name, how } of usesIn(text, owners)) found(name, node.start, how);
    } else if (node.type === "Literal" && typeof node.value === "string" && / /.test(node.value))
      for (const { name, how } of usesIn(node.value, owners)) found(name, node.start, how);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof child === "object" && "type" in child) walk(child as Node);
  };
  walk(program as unknown as Node);
  return uses;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length;

/** The domain that a file belongs to; what the server itself keeps is the platform's. */
export const userOf = (file: string): string | undefined =>
  file.startsWith("platform/server/")
    ? "platform"
    : file.startsWith("db/routines/")
      ? file.split("/")[2]
      : domainOf(file);

/** What the pipeline has to know of whoever calls, and what it keeps of a session. */
const PIPELINE = new Set(["place", "access"]);
const PIPELINE_WRITES = new Set(["login_session"]);

/** Each use against the rule that a table is written by its owner alone, and read by what stands to its right. */
export function foreignUses(uses: readonly Use[], { order, owned }: Owners): string[] {
  return uses.flatMap(({ path: file, line, name, how }) => {
    const { domain: owner, published } = owned.get(name)!;
    const user = userOf(file);
    if (!user || user === owner) return [];
    if (user === "platform" && PIPELINE.has(owner) && (how === "read" || PIPELINE_WRITES.has(name)))
      return [];
    const at = `${file}:${line}`;
    if (how === "write") return [`${at} writes ${name}, which is ${owner}'s: call a service of its owner`];
    return !published && order.indexOf(owner) > order.indexOf(user)
      ? [
          `${at} reads ${name} of ${owner}, which stands to the right of ${user}: read a view that ${owner} publishes`,
        ]
      : [];
  });
}

/** Conditions of the trade, and the one file that writes each of them out. */
const CONDITIONS: { name: string; is: RegExp; home: readonly string[]; say: string }[] = [
  {
    name: "a contract in force",
    is: /'effective',\s*'expired'|"effective" (?:&&|\|\|)[^;\n]*"expired"|\["effective", "expired"\]\.includes/,
    home: ["db/routines/contract/states.sql", "domains/contract/contract/contract.rules.ts"],
    say: "in_force(state), contract_brief.in_force, isInForce(state)",
  },
  {
    name: "a contract that is over",
    is: /'ended',\s*'terminated'/,
    home: ["db/routines/contract/states.sql"],
    say: "is_over(state), contract_brief.is_over",
  },
  {
    name: "a reservation that keeps its room",
    is: /state\s+in\s*\('pending', 'held'\)/,
    home: ["db/routines/customer/reservation_keeps.sql"],
    say: "reservation_keeps(state), reservation_brief.keeps",
  },
  {
    name: "a room that is still there",
    is: /retired_day is null or/,
    home: ["db/routines/listing/not_retired.sql"],
    say: "not_retired(retired_day, day)",
  },
  {
    name: "money that is open",
    is: /outstanding > 0(?:\s+and b\.direction = '\w+')?\s+and (?:b\.voided_at is null and )?(?:b\.)?issued_at is not null|issued_at is not null and (?:b\.voided_at is null and )?(?:b\.)?outstanding > 0/,
    home: ["domains/finance/bill/overdue.service.ts", "db/routines/finance/published.view.sql"],
    say: "receivable_open; of bills of both kinds isOpen of finance/bill/overdue.service.ts",
  },
  {
    name: "late money",
    is: /issued_at is not null[^;`]{0,60}due_date\s*<(?!=)|outstanding > 0[^;`]{0,60}due_date\s*<(?!=)/,
    home: ["domains/finance/bill/overdue.service.ts"],
    say: "isLate, isLateMoney of finance/bill/overdue.service.ts; receivable_open",
  },
];

/** Conditions that are written out once more. */
export const copiedConditions = (files: readonly Text[]): string[] =>
  files.flatMap(({ path: file, text }) => {
    const sql = file.endsWith(".sql") ? bare(text) : text;
    return CONDITIONS.filter(({ is, home }) => !home.includes(file) && is.test(sql)).map(
      ({ name, is, say }) => `${file}:${lineOf(sql, sql.search(is))} writes out “${name}”: take ${say}`,
    );
  });
