/** The floors of the house. Each may use those to its left, never those to its right. */
export const DOMAINS = [
  "place",
  "access",
  "system",
  "approval",
  "listing",
  "party",
  "finance",
  "customer",
  "iot",
  "contract",
  "service",
  "report",
] as const;

/** What a file of a noun may be, and how it ends: components are .tsx, everything else is .ts. */
export const ROLES = {
  contract: "ts",
  rules: "ts",
  service: "ts",
  server: "ts",
  queries: "ts",
  job: "ts",
  page: "tsx",
  form: "tsx",
  panel: "tsx",
  sample: "ts",
} as const;
export type Role = keyof typeof ROLES;

/** Names under which everything and nothing hides. */
export const NAMELESS = /^(types|index|(.+-)?(utils?|helpers?|common|misc|constants))$/;

const CONSOLE: readonly string[] = ["page", "form", "panel"];
const SERVER: readonly string[] = ["server", "service", "queries", "job"];

export const domainOf = (path: string): string | undefined => /^domains\/([^/]+)\//.exec(path)?.[1];

/** The role of a noun's file; a test has the role of what it tests. */
export const roleOf = (path: string): Role | undefined => {
  const role = /^domains\/.*\.([a-z]+)(\.test)?\.tsx?$/.exec(path)?.[1];
  return role !== undefined && role in ROLES ? (role as Role) : undefined;
};

/** Where a file runs; contracts, rules, the kernel and the table of screens run on both sides. */
export function sideOf(path: string): "console" | "server" | undefined {
  const role = roleOf(path);
  if (path.startsWith("platform/console/") || path === "console.tsx" || (role && CONSOLE.includes(role)))
    return "console";
  if (/^(platform\/server|db)\//.test(path) || path === "server.ts" || (role && SERVER.includes(role)))
    return "server";
  return undefined;
}
