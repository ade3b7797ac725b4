import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { Refusal } from "../../kernel/refusal.ts";

/** For numbers that must come back but lie unreadable in the database: certificates, bank accounts. */
export type Cipher = {
  seal: (text: string) => Buffer;
  /** Refuses what none of the keys at hand has sealed. */
  open: (sealed: Uint8Array) => string;
  /** Equal texts give equal hashes, so they can be looked up and kept unique without being readable. */
  hash: (text: string) => Buffer;
};

const IV = 12;
const TAG = 16;
/** Nothing shorter was sealed. */
export const SHORTEST_SEALED = IV + TAG;

/** AES-256-GCM under a key of 32 bytes. */
export function seal(key: Buffer, content: Buffer): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const body = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** What was sealed under this key; undefined for anything else. */
export function unseal(key: Buffer, sealed: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(sealed);
  if (bytes.length < SHORTEST_SEALED) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV));
  decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** The key that hashes are made with where no other was noted. */
export const lookupOf = (key: Buffer): Buffer => createHmac("sha256", key).update("lookup").digest();

/**
 * Seals under `key` and opens what it or an older key has sealed. The hash is an HMAC under `lookup`, which stays the
 * same when the key is changed: hashes of what nobody kept could not be made anew.
 */
export function cipherOf(key: Buffer, older: Buffer[] = [], lookup: Buffer = lookupOf(key)): Cipher {
  return {
    seal: (text) => seal(key, Buffer.from(text, "utf8")),
    open: (sealed) => {
      for (const each of [key, ...older]) {
        const opened = unseal(each, sealed);
        if (opened) return opened.toString("utf8");
      }
      throw new Refusal(
        "sealed",
        "此号码是用另一把密钥加密的，当前无法解密，请重新录入或联系系统管理员恢复密钥",
      );
    },
    hash: (text) => createHmac("sha256", lookup).update(text.toUpperCase()).digest(),
  };
}
