import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import type { Call, Envelope, Reply, Sent } from "../../kernel/call.ts";
import { freshDatabase } from "../database/cluster.sample.ts";
import { openHouse, type OpenHouse } from "./house.ts";
import { hashOf, newToken } from "../pipeline/session.ts";
import { readSettings } from "./settings.ts";

export type Person = { operatorId: number; token: string };
export type Sending = { as?: Person; key?: string; headers?: Record<string, string> };
export type Answered<T> = {
  status: number;
  body: Envelope<T>;
  headers: Record<string, unknown>;
  raw: Buffer;
};
type Args<C> = keyof Sent<C> extends never ? [sent?: Record<never, never>] : [sent: Sent<C>];

export type TestHouse = OpenHouse & {
  enterpriseId: number;
  /** Sends a call through the real HTTP server and answers status and envelope, whatever they are. */
  ask: <C extends Call>(call: C, how: Sending, ...args: Args<C>) => Promise<Answered<Reply<C>>>;
  /** The same for a call that must succeed: its data. */
  did: <C extends Call>(call: C, how: Sending, ...args: Args<C>) => Promise<Reply<C>>;
  /** A signed-in operator with just these permits and villages; `superType` '0' or '1' needs neither. */
  person: (who?: {
    permits?: string[];
    villages?: number[];
    superType?: string;
    name?: string;
  }) => Promise<Person>;
  /** Tells the events of the calls so far to whoever listens, at once and in turn. */
  deliver: () => Promise<void>;
  /** Moves the server's clock to a moment, or lets it run again. */
  setClock: (at: string | undefined) => void;
};

/** The real server over a database of its own, without listening. Call it at the top of a test file. */
export async function testHouse(
  options: {
    poolSize?: number;
    work?: boolean;
    brand?: string;
    /** Further settings, by their names in the environment. */
    settings?: Record<string, string>;
    /** Folder of the built console, for stories in a browser. */
    console?: string;
    /** Fills the database first; a company it makes is the one that people are added to. */
    fill?: (house: OpenHouse) => Promise<unknown>;
    /** A database that was filled before. */
    template?: string;
  } = {},
): Promise<TestHouse> {
  const database = await freshDatabase(options);
  const dir = mkdtempSync(path.join(os.tmpdir(), "sams-files-"));
  const settings = readSettings({
    DATA_DIR: dir,
    LOG_LEVEL: "silent",
    RATE_LIMIT: "0",
    MODE: "demo",
    // every house over a copy of a database reads what was sealed when it was made
    SECRET_KEY: "a key for tests, worth nothing elsewhere",
    BRAND: options.brand,
    ...options.settings,
  });
  let at: string | undefined;
  const house = await openHouse(settings, {
    database,
    clock: () => (at ? new Date(at) : new Date()),
    work: options.work ?? false,
    console: options.console,
  });
  afterAll(async () => {
    await house.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const { db } = database;
  await options.fill?.(house);
  const known = await db.selectFrom("enterprise").select("id").orderBy("id").executeTakeFirst();
  const { id: enterpriseId } =
    known ??
    (await db
      .insertInto("enterprise")
      .values({ name: "青禾公寓管理有限公司" })
      .returning("id")
      .executeTakeFirstOrThrow());
  const { id: departmentId } = await db
    .insertInto("department")
    .values({ enterpriseId, name: `部门${randomUUID().slice(0, 8)}` })
    .returning("id")
    .executeTakeFirstOrThrow();

  const person: TestHouse["person"] = async ({
    permits = [],
    villages = [],
    superType = "",
    name = "周敏",
  } = {}) => {
    const tag = randomUUID().slice(0, 12);
    const operator = await db
      .insertInto("operator")
      .values({
        enterpriseId,
        account: tag,
        realName: name,
        phone: tag,
        superType,
        villageIds: villages,
        passwordHash: "-",
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (permits.length) {
      const role = await db
        .insertInto("role")
        .values({ enterpriseId, name: tag })
        .returning("id")
        .executeTakeFirstOrThrow();
      await db
        .insertInto("roleFunction")
        .values(permits.map((key) => ({ roleId: role.id, key })))
        .execute();
      await db
        .insertInto("operatorAssignment")
        .values({ operatorId: operator.id, departmentId, roleId: role.id })
        .execute();
    }
    const token = newToken();
    const expiresAt = new Date(Date.now() + 86_400_000);
    await db
      .insertInto("loginSession")
      .values({ operatorId: operator.id, tokenHash: hashOf(token), expiresAt })
      .execute();
    return { operatorId: operator.id, token };
  };

  const ask: TestHouse["ask"] = async (call, how, ...[sent]) => {
    const { params = {}, query = {}, body } = (sent ?? {}) as Record<string, Record<string, unknown>>;
    const url = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const answer = await house.app.inject({
      method: call.method,
      url,
      query: Object.fromEntries(
        Object.entries(query)
          .filter(([, v]) => v !== undefined)
          .map(([k, v]) => [k, String(v)]),
      ),
      headers: {
        ...(how.as && { authorization: how.as.token }),
        ...(how.key && { "idempotency-key": how.key }),
        ...how.headers,
      },
      ...(body !== undefined && { payload: body }),
    });
    const json = String(answer.headers["content-type"]).startsWith("application/json");
    return {
      status: answer.statusCode,
      body: (json ? answer.json() : { code: answer.statusCode, message: "", data: null }) as never,
      headers: answer.headers,
      raw: answer.rawPayload,
    };
  };
  const did: TestHouse["did"] = async (call, how, ...args) => {
    const { status, body } = await ask(call, { ...(call.money && { key: randomUUID() }), ...how }, ...args);
    if (status !== 200)
      throw new Error(
        `${call.method} ${call.path}: ${status} ${body.message} ${JSON.stringify(body.fields ?? body.data ?? "")}`,
      );
    return body.data;
  };
  const deliver = () => house.jobs.deliver(house);
  return { ...house, enterpriseId, ask, did, person, deliver, setClock: (to) => (at = to) };
}
