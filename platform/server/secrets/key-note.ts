import type { Pool, PoolClient } from "pg";
import { cipherOf, lookupOf, seal, SHORTEST_SEALED, unseal, type Cipher } from "./cipher.ts";
import { keyFile, keyFingerprint, keyPlace, makeKey, readKeys, type KeySettings } from "./secret.ts";

/** What the database knows of the key that its values were sealed with. */
export type KeyNote = { fingerprint: string; retiring: string | null; lookup: Buffer };

/** Held while the key is noted, so that of several servers that start at once one does it. */
const LOCK = 7_301_201;

/**
 * The cipher of this database. Throws a sentence when the key at hand is missing or not the one that was used before;
 * at the first start the key is made, or proved by what is sealed already, and noted.
 */
export async function openCipher(pool: Pool, settings: KeySettings): Promise<Cipher> {
  const note = (await readNote(pool)) ?? (await firstNote(pool, settings));
  const { current, old } = readKeys(settings);
  const has = (fingerprint: string) => old.some((key) => keyFingerprint(key) === fingerprint);
  if (!current || keyFingerprint(current) !== note.fingerprint)
    throw new Error(
      current && has(note.fingerprint)
        ? "The secret key was changed, but the database does not know it yet: run `npm run rotate-key`, then start again."
        : wrongKey(settings, current, note.fingerprint),
    );
  if (note.retiring && !has(note.retiring))
    throw new Error(
      `A change of the secret key was broken off, and the key before it is still needed (fingerprint ${note.retiring}): put it into SECRET_KEY_OLD or ${keyFile(settings)}.old, then run \`npm run rotate-key\`.`,
    );
  return cipherOf(current, old, unseal(current, note.lookup));
}

/** Why the product does not start with this key, and what to do. */
function wrongKey(settings: KeySettings, current: Buffer | undefined, fingerprint?: string): string {
  const what = current
    ? `The secret key in ${keyPlace(settings)} (fingerprint ${keyFingerprint(current)}) does not open what is sealed in the database.`
    : `The secret key is missing: ${keyPlace(settings)} is not there, but the database was used with one.`;
  const right = fingerprint ? `the key with the fingerprint ${fingerprint}` : "the right key";
  return `${what} Put ${right} into ${keyFile(settings)} or SECRET_KEY; there should be a copy of it apart from the back-ups. Only if it is lost for good: \`npm run rotate-key -- --lost\` goes on with another, and the numbers sealed before stay unreadable.`;
}

export async function readNote(client: Pool | PoolClient): Promise<KeyNote | undefined> {
  const { rows } = await client.query<KeyNote>("select fingerprint, retiring, lookup from key_note");
  return rows[0];
}

/** Notes a key that has just been proved or made. `lookup` is what hashes are made with, as it was before. */
export const writeNote = (
  client: Pool | PoolClient,
  key: Buffer,
  lookup = lookupOf(key),
  retiring?: Buffer,
) =>
  client.query(
    `insert into key_note (fingerprint, retiring, lookup) values ($1, $2, $3)
     on conflict (one) do update set fingerprint = $1, retiring = $2, lookup = $3, noted_at = now()`,
    [keyFingerprint(key), retiring ? keyFingerprint(retiring) : null, seal(key, lookup)],
  );

async function firstNote(pool: Pool, settings: KeySettings): Promise<KeyNote> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    const noted = await readNote(client);
    if (noted) return noted;
    const sealed = await someSealed(client);
    const { current } = readKeys(settings);
    if (sealed.length && !(current && sealed.some((value) => unseal(current, value))))
      throw new Error(wrongKey(settings, current));
    await writeNote(client, current ?? makeKey(settings));
    return (await readNote(client))!;
  } finally {
    await client.query("select pg_advisory_unlock($1)", [LOCK]).catch(() => {});
    client.release();
  }
}

/** Every column that may hold sealed values. What it holds besides does not open under any key. */
export async function sealedColumns(client: PoolClient): Promise<{ table: string; column: string }[]> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.oid::regclass::text as table, quote_ident(a.attname) as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bytea'::regtype
       and a.attname !~ '_hash$' and c.relname <> 'key_note'
     order by 1, 2`,
  );
  return rows;
}

async function someSealed(client: PoolClient): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for (const { table, column } of await sealedColumns(client)) {
    const { rows } = await client.query<{ value: Buffer }>(
      `select ${column} as value from ${table} where length(${column}) > $1 limit 1000`,
      [SHORTEST_SEALED],
    );
    found.push(...rows.map(({ value }) => value));
  }
  return found;
}
