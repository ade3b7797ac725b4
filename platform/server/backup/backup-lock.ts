import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { PassThrough, Readable, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";

/** What the files of a back-up pass through on their way in and out; `name` is the file's path in the back-up. */
export type Lock = { writing: (name: string) => Transform; reading: (name: string) => Transform };

const NAME = "lock.json";
/** Plain bytes of a chunk, each with its own seal, so that a file of any size streams and none is read unproved. */
const CHUNK = 65_536;
const TAG = 16;
const HEAD = 16;
const form = z.object({
  format: z.literal(1),
  kdf: z.literal("scrypt"),
  N: z
    .number()
    .int()
    .max(2 ** 20),
  r: z.number().int().max(16),
  p: z.number().int().max(8),
  salt: z.base64(),
});

const unlocked: Lock = { writing: () => new PassThrough(), reading: () => new PassThrough() };

/** The lock of a new back-up; without a passphrase it lies open. */
export function newLock(folder: string, passphrase: string | undefined): Lock {
  if (!passphrase) return unlocked;
  const kept = {
    format: 1,
    kdf: "scrypt",
    N: 2 ** 17,
    r: 8,
    p: 1,
    salt: crypto.randomBytes(16).toString("base64"),
  } as const;
  fs.writeFileSync(path.join(folder, NAME), JSON.stringify(kept), { mode: 0o600, flush: true });
  return lockOf(passphrase, kept);
}

/** The lock of a back-up that is there. Throws when it has one and no passphrase is given. */
export function lockOn(folder: string, passphrase: string | undefined): Lock {
  const file = path.join(folder, NAME);
  if (!fs.existsSync(file)) return unlocked;
  if (!passphrase) throw new Error("The back-up is encrypted: give its passphrase in BACKUP_PASSPHRASE.");
  const read = form.safeParse(JSON.parse(fs.readFileSync(file, "utf8")));
  if (!read.success) throw new Error(`${file} cannot be read: ${z.prettifyError(read.error)}`);
  return lockOf(passphrase, read.data);
}

export const writeLocked = (lock: Lock, folder: string, name: string, text: string): Promise<void> =>
  pipeline(
    Readable.from([Buffer.from(text)]),
    lock.writing(name),
    fs.createWriteStream(path.join(folder, name), { mode: 0o600, flush: true }),
  );

export async function readLocked(lock: Lock, folder: string, name: string): Promise<string> {
  const parts: Buffer[] = [];
  await pipeline(fs.createReadStream(path.join(folder, name)), lock.reading(name), async (plain) => {
    for await (const part of plain) parts.push(part as Buffer);
  });
  return Buffer.concat(parts).toString("utf8");
}

/**
 * AES-256-GCM chunk by chunk, each file under a key of its own and its name. A chunk's nonce is its number and whether
 * it is the last: chunks that are swapped, left out or cut off do not open.
 */
function lockOf(passphrase: string, { N, r, p, salt }: z.output<typeof form>): Lock {
  const main = crypto.scryptSync(passphrase.normalize("NFC"), Buffer.from(salt, "base64"), 32, {
    ...{ N, r, p },
    maxmem: 256 * N * r,
  });
  const keyOf = (head: Buffer, name: string) =>
    Buffer.from(crypto.hkdfSync("sha256", main, head, `back-up ${name}`, 32));
  return {
    writing: (name) => {
      const head = crypto.randomBytes(HEAD);
      const key = keyOf(head, name);
      return chunked(CHUNK, head, (number, last, plain) => {
        const cipher = crypto.createCipheriv("aes-256-gcm", key, nonce(number, last));
        return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      });
    },
    reading: (name) => {
      let key: Buffer | undefined;
      const damaged = () =>
        new Error(
          `The passphrase is not that of the back-up, or the back-up is damaged: ${name} does not open.`,
        );
      return chunked(CHUNK + TAG, undefined, (number, last, sealed, head) => {
        if (sealed.length < TAG || head.length < HEAD) throw damaged();
        key ??= keyOf(head, name);
        const decipher = crypto.createDecipheriv("aes-256-gcm", key, nonce(number, last));
        decipher.setAuthTag(sealed.subarray(-TAG));
        try {
          return Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()]);
        } catch {
          throw damaged();
        }
      });
    },
  };
}

function nonce(number: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUIntBE(number, 5, 6);
  bytes[11] = Number(last);
  return bytes;
}

/** Cuts a stream into pieces of a size, the last one shorter. `head` is written first, or, where none is given, read first. */
function chunked(
  size: number,
  head: Buffer | undefined,
  turn: (number: number, last: boolean, piece: Buffer, head: Buffer) => Buffer,
): Transform {
  let [waiting, number] = [Buffer.alloc(0), 0];
  let read = head;
  const push = (stream: Transform, last: boolean) => {
    if (!read && (waiting.length >= HEAD || last)) {
      read = waiting.subarray(0, HEAD);
      waiting = waiting.subarray(HEAD);
    }
    // a piece is known not to be the last only when there is more
    while (read && waiting.length > size) {
      stream.push(turn(number++, false, waiting.subarray(0, size), read));
      waiting = waiting.subarray(size);
    }
    if (last) stream.push(turn(number, true, waiting, read!));
  };
  const guarded = (work: () => void, done: TransformCallback) => {
    try {
      work();
    } catch (error) {
      return done(error as Error);
    }
    done();
  };
  return new Transform({
    construct(done) {
      if (head) this.push(head);
      done();
    },
    transform(part: Buffer, _encoding, done) {
      waiting = Buffer.concat([waiting, part]);
      guarded(() => push(this, false), done);
    },
    flush(done) {
      guarded(() => push(this, true), done);
    },
  });
}
