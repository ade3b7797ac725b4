import type { Pool } from "pg";
import { checkAlone } from "../database/exclusive.ts";
import { lookupOf, seal, unseal } from "./cipher.ts";
import { command } from "../process/command.ts";
import { openDatabase } from "../database/database.ts";
import { readNote, sealedColumns, writeNote } from "./key-note.ts";
import { prepareSchema } from "../database/rights.ts";
import { keyFile, keyFingerprint, makeKey, readKeys, replaceKey, type KeySettings } from "./secret.ts";
import { readSettings } from "../process/settings.ts";

/** Values that are sealed anew in one transaction. */
const BATCH = 500;

/**
 * Changes the secret key and seals every value anew. The key itself changes while nothing else uses the database; the
 * values follow in batches, and the product may run again meanwhile, for the old key stays at hand for reading. Broken
 * off anywhere, it goes on where it was when it is run again. Answers how many values were sealed anew.
 */
export async function rotateKey(pool: Pool, settings: KeySettings): Promise<number> {
  const client = await pool.connect();
  try {
    let note = await readNote(client);
    if (!note) throw new Error("Nothing was sealed yet: start the product first.");
    let { current, old } = readKeys(settings);
    const named = (fingerprint: string | null) =>
      [current, ...old].find((key) => key && keyFingerprint(key) === fingerprint);
    if (!note.retiring) {
      const before = named(note.fingerprint);
      if (!before)
        throw new Error(
          `The key in force (fingerprint ${note.fingerprint}) is needed to open what it sealed: put it into ${keyFile(settings)}, SECRET_KEY or SECRET_KEY_OLD.`,
        );
      await checkAlone(client);
      if (before === current) {
        if (settings.SECRET_KEY)
          throw new Error(
            "Give SECRET_KEY its new value and SECRET_KEY_OLD the present one, then run this again.",
          );
        replaceKey(settings);
        ({ current, old } = readKeys(settings));
      }
      if (!current)
        throw new Error(`The new key is missing: put it into ${keyFile(settings)} or SECRET_KEY.`);
      await writeNote(client, current, unseal(before, note.lookup), before);
      note = (await readNote(client))!;
    }
    const [fresh, before] = [named(note.fingerprint), named(note.retiring)];
    if (!fresh || fresh !== current || !before)
      throw new Error(
        `A change of the secret key was broken off; it goes on with the new key (fingerprint ${note.fingerprint}) in force and the one before it (${note.retiring}) in SECRET_KEY_OLD or ${keyFile(settings)}.old.`,
      );
    let sealed = 0;
    // a row that is written meanwhile moves and may be passed over: once more until a whole round finds none
    for (let round = -1; round !== 0; sealed += round) round = await sealAnew(pool, fresh, before);
    await writeNote(client, fresh, unseal(fresh, note.lookup));
    return sealed;
  } finally {
    client.release();
  }
}

/** Goes on with the key at hand, or a new one, although what was sealed before cannot be opened any more. */
export async function acceptLoss(pool: Pool, settings: KeySettings): Promise<void> {
  const client = await pool.connect();
  try {
    await checkAlone(client);
    const key = makeKey(settings);
    await writeNote(client, key, lookupOf(key));
  } finally {
    client.release();
  }
}

async function sealAnew(pool: Pool, fresh: Buffer, before: Buffer): Promise<number> {
  const reader = await pool.connect();
  let sealed = 0;
  try {
    await reader.query("begin read only");
    for (const { table, column } of await sealedColumns(reader)) {
      await reader.query(
        `declare sealed no scroll cursor for select ctid::text as at, ${column} as value from ${table} where ${column} is not null`,
      );
      for (;;) {
        const { rows } = await reader.query<{ at: string; value: Buffer }>(`fetch ${BATCH} from sealed`);
        if (!rows.length) break;
        const opened = rows.flatMap(({ at, value }) => {
          const content = unseal(before, value);
          return content ? [{ at, value, anew: seal(fresh, content) }] : [];
        });
        if (!opened.length) continue;
        const { rowCount } = await pool.query(
          `update ${table} t set ${column} = n.anew from unnest($1::tid[], $2::bytea[], $3::bytea[]) n (at, value, anew)
           where t.ctid = n.at and t.${column} = n.value`,
          [opened.map((o) => o.at), opened.map((o) => o.value), opened.map((o) => o.anew)],
        );
        sealed += rowCount ?? 0;
      }
      await reader.query("close sealed");
    }
    return sealed;
  } finally {
    await reader.query("rollback");
    reader.release();
  }
}

await command(import.meta, async (args) => {
  const settings = readSettings(process.env);
  const database = await openDatabase(settings);
  try {
    await prepareSchema(database);
    if (args.includes("--lost")) {
      await acceptLoss(database.owner, settings);
      process.stdout.write("The key at hand is in force now; what was sealed before stays unreadable.\n");
      return;
    }
    const sealed = await rotateKey(database.owner, settings);
    const place = settings.SECRET_KEY ? "SECRET_KEY_OLD" : `${keyFile(settings)}.old`;
    process.stdout.write(
      `The secret key was changed and ${sealed} values were sealed anew. Keep a copy of the new key apart from the back-ups, and the old one (${place}) as long as there are back-ups of its time.\n`,
    );
  } finally {
    await database.close();
  }
});
