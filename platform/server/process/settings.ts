import path from "node:path";
import { z, type ZodType } from "zod";
import {
  isLocal,
  option,
  origin,
  secret,
  set,
  webAddress,
  whole,
  word,
  services,
  servicesMissing,
  type Row,
} from "./settings-services.ts";

/** The product's own folder: relative paths of settings count from here, wherever the command was given. */
export const ROOT = path.resolve(import.meta.dirname, "../../..");

const folder = word.transform((dir) => path.resolve(ROOT, dir));
const programs = word.transform((bin) => (PROGRAMS.has(bin) ? bin : path.resolve(ROOT, bin)));
const database = z.string().regex(/^postgres(ql)?:\/\/.+/);
const isTimeZone = (zone: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
  } catch {
    return false;
  }
};
const PROGRAMS = new Set(["installed", "embedded"]);
const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const POSTGRES_URL = "a PostgreSQL address such as postgres://user:password@host:5432/name";

/** Every setting of the product, each an environment variable of the same name. */
const rows = {
  MODE: set(
    "production",
    z.enum(["demo", "production"]),
    "demo or production",
    "Set by the command: `npm start` runs the demo, `npm run serve` the real thing.",
  ),
  HOST: set("127.0.0.1", word, "an address", "Address to listen on; 0.0.0.0 for every interface."),
  PORT: set("8080", whole(0, 65_535), "a number from 0 to 65535", "Port to listen on; 0 takes any free one."),
  PUBLIC_URL: option(
    webAddress,
    "an http or https address",
    "Where people reach the console: for links in messages and documents, and the origin whose calls are answered.",
  ),
  ALLOW_PLAIN_HTTP: set(
    "false",
    z.stringbool(),
    "true or false",
    "Lets production be reached without TLS, when something before it does not provide it either.",
  ),
  ALLOW_PRIVATE_TARGETS: set(
    "false",
    z.stringbool(),
    "true or false",
    "Lets listing channels send to addresses of this machine and of private networks.",
  ),
  TRUST_PROXY: option(
    word,
    "a list of addresses or networks",
    "Proxies whose X-Forwarded-* headers are believed, separated by commas.",
  ),
  DATA_DIR: set(
    "./data",
    folder,
    "a folder",
    "Where the embedded database, files and the secret key are kept.",
  ),
  POSTGRES_BIN: option(
    programs,
    "a folder, installed or embedded",
    "PostgreSQL's programs that the embedded database runs on: those in a folder; `installed`: the newest of this machine (15 or newer), the package's where none will do; `embedded`: the package's. Unset: `installed` in production, `embedded` in the demo. Data that exist stay with the major version that wrote them.",
  ),
  DATABASE_URL: {
    ...secret(database, POSTGRES_URL, "An external PostgreSQL, 15 or newer, instead of the embedded."),
  },
  MIGRATE_DATABASE_URL: {
    ...secret(
      database,
      POSTGRES_URL,
      "The same database as DATABASE_URL as the role that owns its tables: for migrations and a restore. DATABASE_URL then needs no right to alter anything.",
    ),
  },
  DATABASE_REPLICA_URL: {
    ...secret(database, POSTGRES_URL, "A streaming replica that answers reports and exports."),
  },
  POOL_SIZE: set("20", whole(2, 500), "a number from 2 to 500", "Database connections of one worker."),
  WORKERS: option(
    whole(0, 64),
    "a number from 0 to 64",
    "Processes that answer calls; one that dies or hangs is replaced. Unset: half the cores, at least 2 (1 on a single core) and at most 4; in the demo 1. 0: no supervision, for a supervisor of your own.",
  ),
  SECRET_KEY: secret(
    z.string().min(32),
    "at least 32 characters",
    "Encrypts certificate numbers. Without it a key is made and kept in DATA_DIR/secret.key; keep a copy of it apart from the back-ups.",
  ),
  SECRET_KEY_OLD: secret(
    z.string().min(32),
    "at least 32 characters",
    "The secret key before SECRET_KEY, which still opens what it sealed: for `npm run rotate-key`, and for back-ups of its time.",
  ),
  BACKUP_PASSPHRASE: secret(
    z.string().min(12),
    "at least 12 characters",
    "Encrypts back-ups, and opens them again at a restore. Without it they lie open. Whoever loses it loses them.",
  ),
  ...services,
  BRAND: set(
    "default",
    z.string().regex(/^[a-z0-9-]+$/),
    "a file name in brands/",
    "The brand that people see.",
  ),
  BRAND_HOSTS: set(
    "",
    z
      .string()
      .regex(/^([a-z0-9.-]+=[a-z0-9]+(,|$))*$/i)
      .transform((text) =>
        Object.fromEntries(
          text
            .split(",")
            .filter(Boolean)
            .map((pair) => pair.toLowerCase().split("=") as [string, string]),
        ),
      ),
    "host=brand pairs separated by commas, such as a.example.com=brand01",
    "Other brands of this server, by the host name that people come by.",
  ),
  API_BASE: option(
    z.literal("self").or(origin),
    "self, or an origin such as https://api.example.com",
    "Where this server's consoles send their calls, in place of the address that their brand names; `self`: to this server.",
  ),
  CONSOLE_ORIGINS: set(
    "",
    z
      .string()
      .transform((text) => text.split(",").filter(Boolean))
      .pipe(z.array(origin)),
    "origins separated by commas, such as https://console.example.com",
    "Consoles that another server serves and whose calls this one answers, beside that of PUBLIC_URL.",
  ),
  PASSWORD_MIN: set(
    "8",
    whole(6, 20),
    "a number from 6 to 20",
    "Characters that a new password has at least; those in use stay good.",
  ),
  SESSION_IDLE_MINUTES: set(
    "0",
    whole(0, 10_080),
    "a number from 0 to 10080",
    "Ends a session in which nobody did anything for so long; 0 leaves it at the seven days from the log-in.",
  ),
  TIME_ZONE: set(
    "Asia/Shanghai",
    z.string().refine(isTimeZone),
    "a time zone such as Asia/Shanghai",
    "Time zone of the business: decides which day it is.",
  ),
  PRICE_JOB_ROOMS: set(
    "20000",
    whole(1, 1_000_000),
    "a number from 1 to 1000000",
    "A product with more rooms that follow its price gets a new one by a job.",
  ),
  LEAD_CLAIMS_A_DAY: set(
    "20",
    whole(1, 10_000),
    "a number from 1 to 10000",
    "Leads of the pool that one person may claim in a day.",
  ),
  LEADS_PER_PERSON: set(
    "100",
    whole(1, 100_000),
    "a number from 1 to 100000",
    "Live leads that one person may look after.",
  ),
  DEMO_ROOMS: set(
    "2000",
    whole(20, 100_000),
    "a number from 20 to 100000",
    "Rooms of the company that the demo makes at its first start.",
  ),
  LOG_LEVEL: set("info", z.enum(LEVELS), `one of ${LEVELS.join(", ")}`, "How much is logged."),
  RATE_LIMIT: set(
    "1200",
    whole(0, 1_000_000),
    "a number from 0 to 1000000",
    "Calls a minute of one session, and of one address without a session; an enterprise may make 20 times as many. Counted by each worker. 0 for no limit.",
  ),
};

export type Settings = { [K in keyof typeof rows]: z.output<(typeof rows)[K]["shape"]> };

/** Reads the settings from the environment. Throws one Error that names every wrong setting, a sentence each. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const wrong: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows) as [string, Row<ZodType>][]) {
    const value = env[name]?.trim() || row.fallback;
    const result = row.shape.safeParse(value);
    if (result.success) read[name] = result.data;
    else wrong.push(`${name} must be ${row.must}${row.secret ? "" : `, not "${value}"`}.`);
  }
  const settings = read as Settings;
  wrong.push(...servicesMissing(settings, env));
  const behindTls = settings.PUBLIC_URL?.startsWith("https:") || settings.TRUST_PROXY;
  if (settings.MODE === "production" && !isLocal(settings.HOST) && !behindTls && !settings.ALLOW_PLAIN_HTTP)
    wrong.push(
      "HOST lets others in without TLS: give an https PUBLIC_URL, or TRUST_PROXY, or ALLOW_PLAIN_HTTP=true.",
    );
  if (settings.DATABASE_REPLICA_URL && !settings.DATABASE_URL && !env.DATABASE_URL)
    wrong.push("DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica.");
  if (settings.MIGRATE_DATABASE_URL && !settings.DATABASE_URL && !env.DATABASE_URL)
    wrong.push("MIGRATE_DATABASE_URL needs DATABASE_URL: the embedded database has its own roles.");
  if (settings.MODE === "production" && settings.DATABASE_URL && !env.SECRET_KEY?.trim())
    wrong.push("SECRET_KEY must be set with DATABASE_URL: every server of one database needs the same key.");
  if (wrong.length) throw new Error(wrong.join("\n"));
  return settings;
}

/** The table of settings for docs/settings.gen.md. */
export function settingsAsMarkdown(): string {
  const lines = (Object.entries(rows) as [string, Row<ZodType>][]).map(
    ([name, { must, about, fallback }]) =>
      `| \`${name}\` | ${must} | ${fallback === undefined ? "" : `\`${fallback}\``} | ${about} |`,
  );
  return `# Settings

Every setting is an environment variable; none is needed to start. A wrong one stops the start with a sentence.
This page is generated from \`platform/server/process/settings.ts\` (\`npm run docs\`).

| Name | Must be | Without it | What it does |
|---|---|---|---|
${lines.join("\n")}
`;
}
