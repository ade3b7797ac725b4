import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Settings } from "./settings.ts";

/**
 * The 32 bytes that encrypt certificate numbers: from SECRET_KEY, else from DATA_DIR/secret.key, which is made at the
 * first start.
 */
export function secretKey(settings: Pick<Settings, "SECRET_KEY" | "DATA_DIR">): Buffer {
  const text = settings.SECRET_KEY ?? ownKey(settings.DATA_DIR);
  return crypto.createHash("sha256").update(text).digest();
}

/** The same, if there is one already: none is made. */
export const existingKey = (settings: Pick<Settings, "SECRET_KEY" | "DATA_DIR">): Buffer | undefined =>
  settings.SECRET_KEY || fs.existsSync(path.join(settings.DATA_DIR, "secret.key"))
    ? secretKey(settings)
    : undefined;

/** Tells whether two places hold the same key without giving it away. */
export const keyFingerprint = (key: Buffer): string =>
  crypto.createHmac("sha256", key).update("fingerprint").digest("hex").slice(0, 16);

function ownKey(dir: string): string {
  const file = path.join(dir, "secret.key");
  if (!fs.existsSync(file)) {
    fs.mkdirSync(dir, { recursive: true });
    const draft = `${file}.${process.pid}`;
    const fd = fs.openSync(draft, "wx", 0o600);
    fs.writeSync(fd, `${crypto.randomBytes(32).toString("base64url")}\n`);
    // a key that was used but not on disk at a power cut would make what it encrypted unreadable for ever
    fs.fsyncSync(fd);
    fs.closeSync(fd);
    try {
      // a link, not a rename: of two servers that start at once one must win
      fs.linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    fs.rmSync(draft);
  }
  return fs.readFileSync(file, "utf8").trim();
}
