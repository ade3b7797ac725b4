import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Five failures in 15 minutes lock an account at the address they came from; from the first on, the captcha is demanded. */
const WINDOW_MS = 15 * MINUTE_MS;
const LOCK_AFTER = 5;
/** So many different names failing at one address in 15 minutes look like one password tried on many people. */
const SPRAY_AFTER = 3;
/** So many failures in a day, from wherever, lock an account at every address it has not signed in from lately. */
const WIDE_AFTER = 50;
const ANYWHERE = "*";
const FAMILIAR_MS = 30 * DAY_MS;
/** 15 minutes, doubled by every further lock that follows within a day, at most 24 hours. */
const lockMs = (times: number) => Math.min(WINDOW_MS * 2 ** (times - 1), DAY_MS);

const LOCKED = "账号已锁定，请联系管理员解锁";

/** One log-in, or one confirmation by password, at a time: many at once get no more tries than one after the other. */
export const inLine = (act: Act, account: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`login ${account}`}, 0))`.execute(act.tx);

const ago = (act: Act, ms: number) => new Date(act.now.getTime() - ms).toISOString();

async function countFailures(act: Act, account: string, within: number, ip?: string): Promise<number> {
  const { n } = await act.tx
    .selectFrom("loginFailure")
    .select(sql<number>`count(*)`.as("n"))
    .where("account", "=", account)
    .$if(ip !== undefined, (q) => q.where("ip", "=", ip!))
    .where("at", ">", ago(act, within))
    .executeTakeFirstOrThrow();
  return n;
}

/**
 * Whether the captcha is demanded. Names that nobody has are counted like names that somebody has, or the demand would
 * tell who works here; one mistyped password asks nothing of the colleagues behind the same address.
 */
export async function demandsCaptcha(act: Act, account: string): Promise<boolean> {
  if (await countFailures(act, account, WINDOW_MS)) return true;
  const { rows } = await sql<{ locked: boolean; names: number }>`
    select exists (select from login_lock where account = ${account} and until > ${ago(act, DAY_MS)}) locked,
      (select count(distinct account) from login_failure where ip = ${act.ip} and at > ${ago(act, WINDOW_MS)}) names`.execute(
    act.tx,
  );
  return rows[0]!.locked || rows[0]!.names >= SPRAY_AFTER;
}

/** Minutes until the account may be tried again from this address; 0 when it is not locked here. */
export async function lockedMinutes(act: Act, account: string): Promise<number> {
  const { rows } = await sql<{ until: string | null }>`
    select max(l.until) until from login_lock l
    where l.account = ${account} and l.until > ${act.now.toISOString()}
      and (l.ip = ${act.ip} or l.ip = ${ANYWHERE} and not exists (
        select from login_session s join operator o on o.id = s.operator_id
        where lower(o.account) = l.account and s.ip = ${act.ip} and s.view_by is null
          and s.created_at > ${ago(act, FAMILIAR_MS)}))`.execute(act.tx);
  const { until } = rows[0]!;
  return until ? Math.ceil((new Date(until).getTime() - act.now.getTime()) / MINUTE_MS) : 0;
}

async function lock(act: Act, account: string, ip: string): Promise<void> {
  const before = await act.tx
    .selectFrom("loginLock")
    .select("times")
    .where("account", "=", account)
    .where("ip", "=", ip)
    .where("until", ">", ago(act, DAY_MS))
    .executeTakeFirst();
  const times = (before?.times ?? 0) + 1;
  const until = new Date(act.now.getTime() + lockMs(times)).toISOString();
  await act.tx
    .insertInto("loginLock")
    .values({ account, ip, times, until })
    .onConflict((c) => c.columns(["account", "ip"]).doUpdateSet({ times, until }))
    .execute();
}

/** Counts a failure, and locks where it was one too many. Answers as `lockedMinutes`. Live sessions stay. */
export async function recordFailure(act: Act, account: string): Promise<number> {
  await act.tx
    .insertInto("loginFailure")
    .values({ account, ip: act.ip, at: act.now.toISOString() })
    .execute();
  if ((await countFailures(act, account, WINDOW_MS, act.ip)) >= LOCK_AFTER) await lock(act, account, act.ip);
  if ((await countFailures(act, account, DAY_MS)) >= WIDE_AFTER) await lock(act, account, ANYWHERE);
  return lockedMinutes(act, account);
}

/** After a right password at this address: what others guess elsewhere stays counted. */
export async function forgetFailuresHere(act: Act, account: string): Promise<void> {
  for (const table of ["loginFailure", "loginLock"] as const)
    await act.tx.deleteFrom(table).where("account", "=", account).where("ip", "=", act.ip).execute();
}

/** Lifts every lock of an account. Answers whether there was one. */
export async function liftLocks(act: Act, account: string): Promise<boolean> {
  const name = account.toLowerCase();
  await act.tx.deleteFrom("loginFailure").where("account", "=", name).execute();
  const lifted = await act.tx
    .deleteFrom("loginLock")
    .where("account", "=", name)
    .returning("until")
    .execute();
  return lifted.some(({ until }) => new Date(until) > act.now);
}

/** The refusal of a locked account. `field`: where the form asks for the password. */
export const lockedRefusal = (code: string, minutes: number, field?: string) =>
  new Refusal(code, LOCKED, 400, {
    data: { needImageCode: true, lockedMinutes: minutes },
    fields: field ? [{ field, msg: LOCKED }] : [],
    keeps: true,
  });
