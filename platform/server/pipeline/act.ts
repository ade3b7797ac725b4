import type { Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import type { Day } from "../../kernel/day.ts";
import type { Need } from "../../kernel/call.ts";
import type { Event, Payload } from "../../kernel/event.ts";
import type { Cipher } from "../secrets/cipher.ts";
import type { FileStore } from "../files/files.ts";
import type { Settings } from "../process/settings.ts";

/** Who is calling, read anew from the database on every call. */
export type Who = {
  /** 0 for nobody (public calls) and for jobs. */
  operatorId: number;
  sessionId: number;
  name: string;
  phone: string;
  enterpriseId: number;
  /** '0' platform super admin, '1' enterprise admin, '' what the roles give. */
  superType: string;
  /** Every village in scope, also for those who see them all: one shape, no special case. */
  villages: readonly number[];
  permits: ReadonlySet<string>;
  /** The password is one that somebody else gave: it is replaced before anything else is done. */
  mustChangePassword: boolean;
  /** The enterprise demands a second factor that this person has not switched on: nothing else is done before. */
  mustEnrol: boolean;
  /** Set while somebody else looks on as this person: the session then only reads. */
  viewer?: { id: number; name: string; until: string };
};

export type LogEntry = {
  kind: string;
  recordId: number;
  number?: string;
  villageId?: number | null;
  action: string;
  /** In words, as people read it on the timeline. */
  summary: string;
  before?: unknown;
  after?: unknown;
  /** The approval that it came of. */
  examineId?: number;
};

/** The entry on one record that people call by `number`; `more` is what it says, or what has changed as well. */
export const entryOn = (
  kind: string,
  { id, villageId = null }: { id: number; villageId?: number | null },
  number: string,
  action: string,
  more: string | Pick<LogEntry, "summary" | "before" | "after">,
): LogEntry => ({
  kind,
  recordId: id,
  number,
  villageId,
  action,
  ...(typeof more === "string" ? { summary: more } : more),
});

/** What a handler reads with. */
export type Read = {
  /** The pool for reads, the open transaction for writes. Services never see which. */
  tx: Kysely<DB>;
  /** For reports and exports: the replica where one is configured. */
  replica: Kysely<DB>;
  who: Who;
  /** Business date in the deployment's time zone. */
  today: Day;
  now: Date;
  requestId: string;
  ip: string;
  userAgent: string;
  settings: Settings;
  files: FileStore;
  cipher: Cipher;
};

/** Whom a public call turned out to be about. */
export type Concerned = { id: number; enterpriseId: number; realName: string };

/** What a handler, service or job changes things with: one transaction, one person, one moment. */
export type Act = Read & {
  /** What the call that is answered needs; nothing in a job. */
  need?: Need;
  /** Writes the business log, in the same transaction. */
  note: (entry: LogEntry | LogEntry[]) => Promise<void>;
  /** Numbers shown to people: HT20261120-000123. Asks for `count` at once; gaps after a rollback are allowed. */
  numbers: (kind: string, count?: number) => Promise<string[]>;
  /** Puts a public call, such as a log-in, on somebody's account in the operation log, also when it is refused. */
  concerns: (operator: Concerned) => void;
  /** Tells the listeners; delivered at least once, after the commit. */
  emit: <E extends Event>(event: E, payload: Payload<E>) => Promise<void>;
};

/** A file that came with a multipart call, already within the size the call allows. */
export type Upload = { field: string; name: string; type: string; bytes: Buffer };

/** A body byte for byte, the headers and cookies that came with it, and cookies that go back. */
export type Raw = {
  body: string;
  header: (name: string) => string | undefined;
  /** Empty when there is none. */
  cookie: (name: string) => string;
  /** For this browser's calls of the log-in alone, out of reach of scripts and of other sites. */
  setCookie: (name: string, value: string, seconds: number) => void;
};

export const nobody: Who = {
  operatorId: 0,
  sessionId: 0,
  name: "系统",
  phone: "",
  enterpriseId: 0,
  superType: "",
  villages: [],
  permits: new Set(),
  mustChangePassword: false,
  mustEnrol: false,
};
