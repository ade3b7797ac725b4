import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Settings } from "../process/settings.ts";

export type KeySettings = Pick<Settings, "SECRET_KEY" | "SECRET_KEY_OLD" | "DATA_DIR">;
/** The key in force, if there is one, and those before it, which still read what they sealed. */
type Keys = { current: Buffer | undefined; old: Buffer[] };

const keyOf = (text: string) => crypto.createHash("sha256").update(text).digest();

/** Tells whether two places hold the same key without giving it away. */
export const keyFingerprint = (key: Buffer): string =>
  crypto.createHmac("sha256", key).update("fingerprint").digest("hex").slice(0, 16);

export const keyFile = (settings: KeySettings): string => path.join(settings.DATA_DIR, "secret.key");
const oldFile = (settings: KeySettings) => `${keyFile(settings)}.old`;
const freshFile = (settings: KeySettings) => `${keyFile(settings)}.new`;

/** Where the key in force comes from, for sentences. */
export const keyPlace = (settings: KeySettings): string =>
  settings.SECRET_KEY ? "SECRET_KEY" : keyFile(settings);

/** Reads SECRET_KEY or DATA_DIR/secret.key and the old keys beside them; makes none. Throws when the file is empty. */
export function readKeys(settings: KeySettings): Keys {
  const filed = textOf(keyFile(settings));
  const text = settings.SECRET_KEY ?? filed;
  // once SECRET_KEY is set, the file's key is one of those before it
  const old = [settings.SECRET_KEY_OLD, filed, ...(textOf(oldFile(settings)) ?? "").split("\n")].filter(
    (each): each is string => Boolean(each) && each !== text,
  );
  return { current: text === undefined ? undefined : keyOf(text), old: [...new Set(old)].map(keyOf) };
}

/** The key in force; where there is none yet it is made. Only for a database in which nothing was sealed before. */
export function makeKey(settings: KeySettings): Buffer {
  const { current } = readKeys(settings);
  if (current) return current;
  fs.mkdirSync(settings.DATA_DIR, { recursive: true });
  const draft = `${keyFile(settings)}.${process.pid}`;
  write(draft, `${crypto.randomBytes(32).toString("base64url")}\n`);
  try {
    // a link, not a rename: of two servers that start at once one must win
    fs.linkSync(draft, keyFile(settings));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  fs.rmSync(draft);
  return readKeys(settings).current!;
}

/** Puts a new key into secret.key and the one before into secret.key.old. Cut off anywhere, no key is lost. */
export function replaceKey(settings: KeySettings): void {
  const fresh = freshFile(settings);
  const before = [keyFile(settings), oldFile(settings)].map(textOf).filter((text) => text !== undefined);
  if (before[0]?.includes("\n"))
    throw new Error(`${keyFile(settings)} has several lines: a key that can be changed stands on one.`);
  write(fresh, `${crypto.randomBytes(32).toString("base64url")}\n`);
  write(`${fresh}.old`, `${before.join("\n")}\n`);
  fs.renameSync(`${fresh}.old`, oldFile(settings));
  fs.renameSync(fresh, keyFile(settings));
  // the new names too must outlive a power cut before anything is sealed
  const dir = fs.openSync(settings.DATA_DIR, "r");
  fs.fsyncSync(dir);
  fs.closeSync(dir);
}

function textOf(file: string): string | undefined {
  if (!fs.existsSync(file)) return undefined;
  const text = fs.readFileSync(file, "utf8").trim();
  if (text) return text;
  throw new Error(`${file} is empty: put the secret key back into it from its copy, then start again.`);
}

/** A key that was used but not on disk at a power cut would make what it encrypted unreadable for ever. */
function write(file: string, text: string) {
  const fd = fs.openSync(file, "w", 0o600);
  fs.writeSync(fd, text);
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}
