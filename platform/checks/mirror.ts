import type { Pool } from "pg";

/** How far the ids of the second enterprise lie above those of the first. */
export const APART = 1_000_000;

/** What belongs to the deployment, or opens a door once: there is one of it however many enterprises there are. */
export const SHARED =
  /^(account|captcha|demo_account|dic_default|function_|job_|key_note|login_|lost_page|number_sequence|operation_log|room_change|schema_migration|setup_link|sms_code|sso_|till_|upload_|version_note|wechat_|idempotency_key|h5_)/;

/** Numbers inside stored documents that name a record move with it. */
const MOVED = `create or replace function pg_temp.moved(doc jsonb, name text default '') returns jsonb language sql immutable as $$
  select case jsonb_typeof(doc)
    when 'object' then (select coalesce(jsonb_object_agg(key, pg_temp.moved(value, key)), '{}') from jsonb_each(doc))
    when 'array' then (select coalesce(jsonb_agg(pg_temp.moved(value, name) order by n), '[]') from jsonb_array_elements(doc) with ordinality e(value, n))
    when 'number' then case when name ~ '(^id|Ids?)$' then to_jsonb(doc::text::numeric + ${APART}) else doc end
    else doc end $$`;

/** Numbers of documents, also in the middle of a text: HT20261120-000123 is HT20261120-500123 over there, lead -9… is -4…. */
const renumbered = (text: string) =>
  `regexp_replace(regexp_replace(${text}, '([A-Z]{2}\\d{8}-)0', '\\15', 'g'), '([A-Z]{2}\\d{8}-)9', '\\14', 'g')`;

type Column = { name: string; type: string; unique: boolean };

/** What stands in a column of the second enterprise: ids moved up, what must be one of a kind told apart, the rest as it is. */
function moved({ name, type, unique }: Column): string {
  const column = `"${name}"`;
  const refers = name === "id" || /_(id|by)$/.test(name);
  if (type === "int8" && refers)
    // head office stands in sums under its enterprise's number below nothing
    return `case when ${column} > 0 then ${column} + ${APART} ${name === "village_id" ? `when ${column} < 0 then ${column} - ${APART}` : ""} else ${column} end`;
  if (type === "_int8")
    return `case when ${column} is null then null else array(
      select case when x > 0 then x + ${APART} else x end from unnest(${column}) with ordinality u(x, n) order by n) end`;
  if (type === "jsonb") return `pg_temp.moved(${renumbered(`${column}::text`)}::jsonb)`;
  if (type === "bpchar" || /^(kind|channel|state)$/.test(name)) return column;
  // the two are unique by an expression of theirs
  if (!unique && !/^(account|bank_account_no)$/.test(name))
    return type === "text" ? renumbered(column) : column;
  if (type === "bytea") return `sha256(${column})`;
  return `case when ${column} ~ '^[A-Z]{2}\\d{8}-' then ${renumbered(column)}
    when ${column} ~ '\\d{6}$' then overlay(${column} placing
      translate(substr(${column}, length(${column}) - 5, 1), '0123456789', '5678901234') from length(${column}) - 5 for 1)
    when ${column} = '' then '' else ${column} || '${name === "bank_account_no" ? 9 : "Z"}' end`;
}

/** Lays a second enterprise beside the first, record for record; what is made from now on has ids above both. */
export async function mirror(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    await client.query(MOVED);
    const { rows } = await client.query<{ table: string; columns: Column[] }>(`
      select c.relname "table", json_agg(json_build_object('name', a.attname, 'type', t.typname, 'unique',
        exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey)
          and not exists (select from pg_attribute k where k.attrelid = c.oid and k.attnum = any(i.indkey)
            and k.attname ~ '^id$|_id$' and k.atttypid = 'int8'::regtype) and t.typname in ('text', 'bytea'))) order by a.attnum) columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      join pg_type t on t.oid = a.atttypid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1`);
    for (const { table, columns } of rows.filter((r) => !SHARED.test(r.table))) {
      const names = columns.map((c) => `"${c.name}"`).join(", ");
      const values = columns.map(moved).join(", ");
      await client.query(
        `insert into "${table}" (${names}) overriding system value select ${values} from "${table}"`,
      );
      if (columns.some((c) => c.name === "id"))
        await client.query(
          `select setval(pg_get_serial_sequence($1, 'id'), (select greatest(max(id), ${APART}) from "${table}"))
          where pg_get_serial_sequence($1, 'id') is not null`,
          [table],
        );
    }
    await client.query(`update village set name = '乙' || id where id > ${APART}`);
    await client.query("commit");
  } finally {
    client.release();
  }
}

/** Makes the stores of the second enterprise stores of the first, and what else it has where an enterprise may have both. */
export async function joinFirst(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    await client.query(`update village set code = code || '9' where id > ${APART};
      update fee_subject set code = code || '9', name = left(name, 19) || '乙' where id > ${APART}`);
    const { rows } = await client.query<{ table: string }>(
      `select table_name "table" from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and column_name = 'enterprise_id' and table_type = 'BASE TABLE'`,
    );
    for (const { table } of rows) {
      await client.query("savepoint this");
      await client
        .query(
          `update "${table}" set enterprise_id = enterprise_id - ${APART} where enterprise_id > ${APART}`,
        )
        .catch(() => client.query("rollback to savepoint this"));
    }
    await client.query("commit");
  } finally {
    client.release();
  }
}
