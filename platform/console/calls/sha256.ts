/**
 * SHA-256 as hex. Web Crypto is absent on plain http outside localhost, where a deployment behind its own TLS proxy in
 * development may still be opened, so the function stands here in full. FIPS 180-4.
 */
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);

const fraction = (x: number) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
const K = primes.map((p) => fraction(Math.cbrt(p)));
const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));

const turn = (x: number, n: number) => (x >>> n) | (x << (32 - n));

export function sha256(text: string): string {
  const input = new TextEncoder().encode(text);
  const length = ((input.length + 72) >> 6) << 6;
  const bytes = new Uint8Array(length);
  bytes.set(input);
  bytes[input.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor(input.length / 2 ** 29));
  view.setUint32(length - 4, input.length << 3);
  const hash = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let at = 0; at < length; at += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getInt32(at + i * 4);
      else {
        const [a, b] = [w[i - 15]!, w[i - 2]!];
        const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
        const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
        w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
      }
    }
    mix(hash, w);
  }
  return [...hash].map((n) => (n >>> 0).toString(16).padStart(8, "0")).join("");
}

/** A password as it is sent: hashed as often as the deployment says. */
export function hashed(password: string, times: number): string {
  for (let i = 0; i < times; i++) password = sha256(password);
  return password;
}

type Eight = [number, number, number, number, number, number, number, number];

function mix(hash: Int32Array, w: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as Eight;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [i, x] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i]! + x) | 0;
}
