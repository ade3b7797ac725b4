import { newToken } from "../platform/server/pipeline/session.ts";
import { storedForm } from "../domains/access/session/password.service.ts";
import type { Place } from "./place.ts";

/** So many operators as a large company has, each signed in; they keep the villages and roles of a demo store manager. */
export type Crowd = { accounts: string[]; password: string; tokens: string[] };

const PASSWORD = "Qing2026!";
const LIKE = "dianzhang01";

export async function crowdOf(place: Place, size: number): Promise<Crowd> {
  const { pool } = place.database;
  const accounts = Array.from({ length: size }, (_, i) => `crowd${String(i).padStart(4, "0")}`);
  const tokens = accounts.map(() => newToken());
  const known = await pool.query("select 1 from operator where account = any($1)", [accounts]);
  if (known.rows.length < size) {
    await pool.query(
      `insert into operator (enterprise_id, account, real_name, phone, super_type, village_ids, all_villages, password_hash)
       select l.enterprise_id, a.account, '店长', '199' || lpad(a.n::text, 8, '0'), '', l.village_ids, l.all_villages, $2
       from unnest($1::text[]) with ordinality a(account, n), operator l where l.account = $3
       on conflict do nothing`,
      [accounts, await storedForm(PASSWORD), LIKE],
    );
    await pool.query(
      `insert into operator_assignment (operator_id, department_id, role_id)
       select o.id, a.department_id, a.role_id from operator o, operator l join operator_assignment a on a.operator_id = l.id
       where o.account = any($1) and l.account = $2 on conflict do nothing`,
      [accounts, LIKE],
    );
    // everybody has something unread, so that the bell has something to show
    await pool.query(
      `with told as (
         insert into message (type, title, content) select 1 + n % 8, '账单待收款 ' || n, '请及时跟进' from generate_series(1, 8) n
         returning id, type, push_time)
       insert into message_receipt (message_id, operator_id, type, push_time)
       select t.id, o.id, t.type, t.push_time from told t, operator o where o.account = any($1)`,
      [accounts],
    );
    await place.database.owner.query("analyze operator, operator_assignment, message_receipt");
  }
  await pool.query(
    `insert into login_session (operator_id, token_hash, expires_at)
     select o.id, sha256(convert_to(t.token, 'UTF8')), now() + interval '1 day'
     from unnest($1::text[], $2::text[]) t(account, token) join operator o on o.account = t.account`,
    [accounts, tokens],
  );
  return { accounts, password: PASSWORD, tokens };
}
