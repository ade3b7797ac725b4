import { createHmac, randomBytes } from "node:crypto";

/** Time-based one-time passwords (RFC 6238) as every authenticator app knows them: SHA-1, six digits, 30 seconds. */
const STEP_MS = 30_000;
/** RFC 4648. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes as letters that people can type: five bits each. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => LETTERS[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** 160 bits, as long as the hash. */
export const newSecret = (): string => base32(randomBytes(20));

export const stepAt = (at: Date): number => Math.floor(at.getTime() / STEP_MS);

export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const number = hash.readUInt32BE(hash.at(-1)! & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** The time step whose code it is: this one, or the one before or after it, for clocks that differ a little. */
export const stepOf = (secret: string, code: string, now: Date): number | undefined =>
  [0, -1, 1].map((away) => stepAt(now) + away).find((step) => codeOf(secret, step) === code);

/** What an app reads out of the picture; hash, digits and seconds are those it takes for granted. */
export const uriOf = (issuer: string, account: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
