import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

/** For numbers that must come back but lie unreadable in the database: certificates, bank accounts. */
export type Cipher = {
  seal: (text: string) => Buffer;
  open: (sealed: Uint8Array) => string;
  /** Equal texts give equal hashes, so they can be looked up and kept unique without being readable. */
  hash: (text: string) => Buffer;
};

const IV = 12;
const TAG = 16;

/** AES-256-GCM under the deployment's key of 32 bytes; the hash is an HMAC under a key derived from it. */
export function cipherOf(key: Buffer): Cipher {
  const hashKey = createHmac("sha256", key).update("lookup").digest();
  return {
    seal: (text) => {
      const iv = randomBytes(IV);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV));
      decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
      return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString("utf8");
    },
    hash: (text) => createHmac("sha256", hashKey).update(text.toUpperCase()).digest(),
  };
}
