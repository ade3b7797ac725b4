import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { readLocked, writeLocked, type Lock } from "./backup-lock.ts";

/** What a back-up holds, so that it can be proved whole before anything is done with it. */
const part = z.object({ path: z.string(), sha256: z.string() });
const manifest = z.object({
  format: z.literal(1),
  release: z.string(),
  madeAt: z.iso.datetime(),
  /** The migrations that the data was written with. */
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  /** Tells whether another key is in force where it is restored. The key itself is never in a back-up. */
  keyFingerprint: z.string(),
  /** That of the key before, while values sealed with it were left. */
  oldKeyFingerprint: z.string().optional(),
  tables: z.array(part.extend({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  sequences: z.array(z.object({ name: z.string(), last: z.number(), called: z.boolean() })),
  /** Work that was queued or under way. */
  jobs: part.extend({ count: z.number() }),
  /** Uploads and exports; empty where they are kept in a bucket, which has back-ups of its own. */
  files: z.array(part),
  filesElsewhere: z.boolean(),
});
export type Manifest = z.infer<typeof manifest>;

const NAME = "manifest.json";

export const writeManifest = (lock: Lock, folder: string, content: Manifest): Promise<void> =>
  writeLocked(lock, folder, NAME, JSON.stringify(content, null, 1));

/** Reads a back-up and checks every byte of it. */
export async function readManifest(lock: Lock, folder: string): Promise<Manifest> {
  const file = path.join(folder, NAME);
  if (!fs.existsSync(file)) throw new Error(`${folder} is not a whole back-up: it has no ${NAME}.`);
  const read = manifest.safeParse(JSON.parse(await readLocked(lock, folder, NAME)));
  if (!read.success) throw new Error(`${file} cannot be read: ${z.prettifyError(read.error)}`);
  for (const { path: name, sha256 } of [...read.data.tables, read.data.jobs, ...read.data.files]) {
    const at = path.join(folder, name);
    if (!fs.existsSync(at)) throw new Error(`The back-up is damaged: ${name} is missing.`);
    if ((await checksum(at)) !== sha256) throw new Error(`The back-up is damaged: ${name} has changed.`);
  }
  return read.data;
}

export async function checksum(file: string): Promise<string> {
  const hash = crypto.createHash("sha256");
  await pipeline(fs.createReadStream(file), hash);
  return hash.digest("hex");
}
