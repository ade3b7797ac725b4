import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { nobody, type Who } from "./act.ts";
import { allows, type Call } from "../../kernel/call.ts";
import { forbidden, Refusal, signedOut } from "../../kernel/refusal.ts";
import { markedCache } from "../database/cache.ts";
import type { Database } from "../database/database.ts";
import type { Settings } from "../process/settings.ts";

type Caller = {
  token: string | undefined;
  /** Hears whether a session goes with the token. */
  session?:
    | { signedIn: (token: string, enterpriseId: number) => void; signedOut: (token: string) => void }
    | undefined;
  /** False for what the console asks by itself while nobody sits before it. */
  attended: boolean;
};

/** Who sends a call: nobody for a public one, unless the call `knows` a signed-in caller. */
export async function whoCalls(
  house: { database: Database; settings: Settings },
  call: Call,
  { token, session, attended }: Caller,
): Promise<Who> {
  if (call.needs === "public" && !call.knows) return nobody;
  const how = { idleMinutes: house.settings.SESSION_IDLE_MINUTES, attended };
  const who = token ? await findSession(house.database.pool, token, how) : undefined;
  if (token && who) session?.signedIn(token, who.enterpriseId);
  else if (token) session?.signedOut(token);
  if (call.needs === "public") return who ?? nobody;
  if (!who) throw signedOut();
  return who;
}

/** Refuses what somebody may not call: before a given password is replaced or a second factor that is demanded is on, beyond their permits, or while looking on. */
export function mayCall(who: Who, call: Call): void {
  if (who.mustChangePassword && call.needs !== "public" && !call.beforeOwnPassword)
    throw new Refusal("mustChangePassword", "当前密码由管理员设置，请先修改密码再继续操作", 403);
  if (who.mustEnrol && !who.mustChangePassword && call.needs !== "public" && !call.beforeSecondFactor)
    throw new Refusal("mustEnrol", "企业要求登录时使用动态验证码，请先开启两步验证再继续操作", 403);
  if (!allows(who.permits, call.needs)) throw forbidden();
  if (who.viewer && call.effect === "write" && !call.whileViewing)
    throw new Refusal("viewing", `正在以${who.name}的身份查看，只能浏览，不能修改数据`, 403);
}

/** 7 days (specification section 9). */
export const TOKEN_TTL_MS = 604_800_000;
export const newToken = () => randomBytes(32).toString("base64url");
export const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

type Row = {
  session_id: number;
  operator_id: number;
  real_name: string;
  phone: string;
  enterprise_id: number;
  super_type: string;
  must_change_password: boolean;
  must_enrol: boolean;
  villages: number[] | null;
  roles: { id: number; version: number }[] | null;
  functions: number;
  viewer_id: number | null;
  viewer_name: string | null;
  expires_at: string;
  idle: boolean;
};

type Held = {
  pool: Pool;
  generation: number;
  superType: string;
  roles: readonly { id: number; version: number }[];
};
/** No role has the name of a kind of administrator. */
const nameOf = ({ superType, roles }: Held): string =>
  superType ? `administrator ${superType}` : roles.map(({ id }) => id).join();

/** Permits of whoever holds the same roles, while neither these nor the functions change: whatever does, nothing goes stale. */
const permits = markedCache<Held, string, ReadonlySet<string>>({
  base: ({ pool }) => pool,
  marks: (held) =>
    new Map([[nameOf(held), `${held.generation}/${held.roles.map(({ version }) => version).join()}`]]),
  make: async (held) => {
    const { pool, superType, roles } = held;
    const { rows } = await pool.query<{ key: string }>(
      superType
        ? "select key from function_open"
        : {
            text: `select f.key from role_function f join function_open n on n.key = f.key
              where f.role_id = any($1::bigint[])`,
            values: [roles.map(({ id }) => id)],
          },
    );
    const keys = new Set([...rows.map(({ key }) => key), ...(superType === "0" ? ["super"] : [])]);
    return new Map([[nameOf(held), keys]]);
  },
  most: 1000,
});

const WHO = `o.id operator_id, o.real_name, o.phone, o.enterprise_id, o.super_type, o.must_change_password,
  case when o.super_type = '0' then (select array_agg(v.id order by v.id) from village v)
       when o.super_type = '1' or o.all_villages
         then (select array_agg(v.id order by v.id) from village v where v.enterprise_id = o.enterprise_id)
       else o.village_ids end villages,
  case when o.super_type = '' then (select json_agg(json_build_object('id', r.id, 'version', r.version) order by r.id)
     from operator_assignment a join role r on r.id = a.role_id where a.operator_id = o.id) end roles,
  (select generation from function_generation) functions`;
// a session that looks on as somebody else lasts only while its viewer may come in
// an identity provider's own factors count
const FIND = `select s.id session_id, (not s.by_issuer and e.second_factor_required and not exists (
    select from second_factor f where f.operator_id = o.id and f.confirmed_at is not null)) must_enrol, v.id viewer_id, v.real_name viewer_name, s.expires_at,
  coalesce(s.last_seen_at < now() - interval '1 minute', true) idle, ${WHO}
from login_session s join operator o on o.id = s.operator_id join enterprise e on e.id = o.enterprise_id
  left join operator v on v.id = s.view_by
where s.token_hash = $1 and s.ended_at is null and s.expires_at > now() and o.state = 'active'
  and ($2::int = 0 or coalesce(s.last_seen_at, s.created_at) > now() - $2::int * interval '1 minute')
  and (s.view_by is null or (v.state = 'active' and v.super_type <> ''))`;

/**
 * Who the token belongs to, or nothing. One indexed query; changes of rights act on the very next call. `idleMinutes` ends a
 * session in which nobody did anything for so long (0: none); `attended` false leaves it as idle as it was.
 */
export async function findSession(
  pool: Pool,
  token: string,
  { idleMinutes = 0, attended = true } = {},
): Promise<Who | undefined> {
  const values = [hashOf(token), idleMinutes];
  const { rows } = await pool.query<Row>({ name: "session", text: FIND, values });
  const [row] = rows;
  if (!row) return undefined;
  // once a minute is exact enough to see who is at work
  if (row.idle && attended)
    await pool.query("update login_session set last_seen_at = now() where id = $1", [row.session_id]);
  return whoOf(pool, row);
}

/** An operator as they are now, for work that goes on without them; nothing when they may no longer come in. */
export async function findOperator(pool: Pool, operatorId: number): Promise<Who | undefined> {
  const { rows } = await pool.query<Row>({
    name: "operator",
    text: `select 0 session_id, null viewer_id, false must_enrol, ${WHO} from operator o where o.id = $1 and o.state = 'active'`,
    values: [operatorId],
  });
  return rows[0] && whoOf(pool, rows[0]);
}

async function whoOf(pool: Pool, row: Row): Promise<Who> {
  return {
    operatorId: row.operator_id,
    sessionId: row.session_id,
    name: row.real_name,
    phone: row.phone,
    enterpriseId: row.enterprise_id,
    superType: row.super_type,
    villages: row.villages ?? [],
    // a read-only view (以其身份查看) is not asked for another's password or phone
    mustChangePassword: row.must_change_password && !row.viewer_id,
    mustEnrol: row.must_enrol && !row.viewer_id,
    permits: await permitsOf(pool, row),
    ...(row.viewer_id && { viewer: { id: row.viewer_id, name: row.viewer_name!, until: row.expires_at } }),
  };
}

async function permitsOf(
  pool: Pool,
  { functions: generation, super_type: superType, roles }: Row,
): Promise<ReadonlySet<string>> {
  const held: Held = { pool, generation, superType, roles: superType ? [] : (roles ?? []) };
  return (await permits(held, [nameOf(held)])).get(nameOf(held))!;
}
