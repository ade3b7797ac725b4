import { createHash, randomBytes, randomInt } from "node:crypto";
import { png } from "../../../platform/server/files/png.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";

export const WIDTH = 240;
export const HEIGHT = 80;

/** Strokes on a 4×6 grid, several where there is "|", curved where one starts with "~". What people confuse is left out. */
export const LETTERS: Record<string, readonly string[]> = {
  "2": ["~0,1.4 1,0.1 3,0.1 3.9,1.6 2.6,3.6 0,6|0,6 4,6", "0,1 1,0 3,0 4,1 4,2 0,6 4,6"],
  "3": [
    "~0,0.8 1.6,0 3.6,0.8 3.2,2.4 1.6,2.9|~1.6,2.9 3.6,3.4 3.8,5.2 2,6 0,5.2",
    "0,0 4,0 1.8,2.3 4,3.8 3.4,6 0,6",
  ],
  "4": ["3,6 3,0 0,4 4.2,4", "3,6 3,2.4|0.6,0 0,3.6 4.2,3.6"],
  "6": [
    "~3.6,0 1,1.6 0,4.2 1.2,6 3.2,5.8 3.9,4.2 2.6,3 0.3,3.9",
    "~3,0 0.8,2.4 0.1,4.6 2,6.1 3.9,4.6 2.4,3 0.6,3.6",
  ],
  "7": ["0,0 4,0 1.4,6", "0,0 4,0 1.6,6|0.9,3 3.6,3"],
  "8": ["~2,2.8 0.4,1.6 1,0.1 3,0.1 3.6,1.6 2,2.8 0.1,4.2 0.9,5.9 3.1,5.9 3.9,4.2 2,2.8"],
  "9": [
    "~3.8,2.2 2,3.4 0.1,2 1,0.1 3,0.1 3.9,1.6 3.7,4 2,6",
    "~3.8,1.8 2,3.2 0.2,1.6 2,0 3.8,1.6|3.8,1.6 3.4,6",
  ],
  A: ["0,6 2,0 4,6|0.8,4 3.2,4", "~0,6 0.1,2.4 2,0 3.9,2.4 4,6|0,3.6 4,3.6"],
  C: ["~3.9,1.2 2.4,0 0.6,1 0,3 0.6,5 2.4,6 3.9,4.9"],
  E: ["4,0 0,0 0,6 4,6|0,3 3.2,3", "~3.8,0.6 1.6,0 0.4,1.4 2.4,2.8|~2.4,2.8 0,3.8 0.8,5.8 3.9,5.6"],
  H: ["0,0 0,6|4,0 4,6|0,3 4,3"],
  K: ["0,0 0,6|4,0 0,3.4|1.2,2.4 4,6"],
  L: ["0.3,0 0.3,6 4,6"],
  M: ["0,6 0,0 2,3.4 4,0 4,6", "0,6 0.7,0 2,4 3.3,0 4,6"],
  R: ["0,6 0,0|~0,0 3,0.1 3.8,1.6 3,3 0,3.1|1.8,3.1 4,6"],
  T: ["0,0 4.2,0|2.1,0 2.1,6"],
  W: ["0,0 1,6 2,2 3,6 4,0", "~0,0 0.5,5.4 2,4 2,2|~2,2 2.2,5.4 3.8,5 4,0"],
  X: ["0,0 4,6|4,0 0,6"],
  Y: ["0,0 2,3|4,0 2,3|2,3 2,6", "0,0 2.1,3|4,0 0.8,6"],
};

type Point = readonly [number, number];
/** A capsule: from, to, half the width of the pen at either end. */
type Segment = readonly [Point, Point, number, number];

const between = (from: number, to: number) => from + ((to - from) * randomInt(1_000_001)) / 1_000_000;
const oneOf = <T>(of: readonly T[]): T => of[randomInt(of.length)]!;

/** Points of a Catmull-Rom curve through the given ones. */
function curve(points: readonly Point[]): Point[] {
  const at = (i: number) => points[Math.max(0, Math.min(points.length - 1, i))]!;
  const out: Point[] = [points[0]!];
  for (let i = 0; i < points.length - 1; i++)
    for (const t of [0.25, 0.5, 0.75, 1]) {
      const of = (k: 0 | 1) => {
        const [a, b, c, d] = [at(i - 1)[k], at(i)[k], at(i + 1)[k], at(i + 2)[k]];
        return (
          (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t ** 3) / 2
        );
      };
      out.push([of(0), of(1)]);
    }
  return out;
}

/** The lines of a letter's shape on its grid, without any distortion. */
export function linesOf(shape: string): Point[][] {
  return shape.split("|").map((line) => {
    const bent = line.startsWith("~");
    const points = line
      .slice(bent ? 1 : 0)
      .split(" ")
      .map((p) => p.split(",").map(Number) as unknown as Point);
    return bent ? curve(points) : points;
  });
}

function segments(line: readonly Point[], pen: () => number): Segment[] {
  let half = pen();
  return line.slice(1).map((to, i) => {
    const from = half;
    half = pen();
    return [line[i]!, to, from, half];
  });
}

/** A letter turned, sheared, stretched and dented, its middle near x. */
function letter(shape: string, x: number): Segment[] {
  const [turn, shear] = [between(-0.4, 0.4), between(-0.3, 0.3)];
  const [wide, high, thick] = [between(8.6, 12.4), between(7.8, 10.6), between(2.7, 4)];
  const middle = HEIGHT / 2 + between(-8, 8);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return linesOf(shape).flatMap((line) =>
    segments(
      line.map(([px, py]) => {
        const dy = (py - 3 + between(-0.16, 0.16)) * high;
        const dx = (px - 2 + between(-0.16, 0.16)) * wide + shear * dy;
        return [x + dx * cos - dy * sin, middle + dx * sin + dy * cos];
      }),
      () => thick * between(0.75, 1.2),
    ),
  );
}

/** A stroke from edge to edge, as thick as the letters that it crosses. */
function scratch(thick: number): Segment[] {
  const points = [-10, 50, 110, 170, 250].map((x): Point => [x + between(-14, 14), between(8, HEIGHT - 8)]);
  return segments(curve(points), () => thick * between(0.7, 1.3));
}

/** How much of each pixel the strokes cover, 0 to 1. */
function coverage(strokes: readonly Segment[]): Float32Array {
  const covered = new Float32Array(WIDTH * HEIGHT);
  for (const [[ax, ay], [bx, by], from, to] of strokes) {
    const [dx, dy, reach] = [bx - ax, by - ay, Math.max(from, to) + 1];
    const last = {
      x: Math.min(WIDTH - 1, Math.max(ax, bx) + reach),
      y: Math.min(HEIGHT - 1, Math.max(ay, by) + reach),
    };
    for (let y = Math.max(0, Math.floor(Math.min(ay, by) - reach)); y <= last.y; y++)
      for (let x = Math.max(0, Math.floor(Math.min(ax, bx) - reach)); x <= last.x; x++) {
        const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
        const away = Math.hypot(x - ax - dx * t, y - ay - dy * t);
        const part = Math.min(1, from + (to - from) * t + 0.5 - away);
        const i = y * WIDTH + x;
        if (part > covered[i]!) covered[i] = part;
      }
  }
  return covered;
}

/** A value between four pixels. */
function sample(of: Float32Array, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - left, y - top];
  const at = (px: number, py: number) =>
    px < 0 || py < 0 || px >= WIDTH || py >= HEIGHT ? 0 : of[py * WIDTH + px]!;
  return (
    (at(left, top) * (1 - right) + at(left + 1, top) * right) * (1 - down) +
    (at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right) * down
  );
}

/** A wave across the picture: how far a point is moved, or how bright it is. */
function wave(strength: number): (x: number, y: number) => number {
  const [long, turn, start] = [between(55, 110), between(0, Math.PI), between(0, 2 * Math.PI)];
  const [kx, ky] = [(Math.cos(turn) * 2 * Math.PI) / long, (Math.sin(turn) * 2 * Math.PI) / long];
  return (x, y) => strength * Math.sin(x * kx + y * ky + start);
}

/** From the paper to the ink, in the tone of the console. */
const PAPER = [242, 244, 247];
const INK = [34, 50, 92];
const PALETTE = Uint8Array.from({ length: 768 }, (_, i) => {
  const part = Math.floor(i / 3) / 255;
  return Math.round(PAPER[i % 3]! * (1 - part) + INK[i % 3]! * part);
});

/**
 * The picture of a captcha. Only pixels leave the house: letters that touch and are bent with the paper, scratches of the
 * same ink and of the paper's colour across them, a part where ink and paper change places, and grain over all of it.
 */
export function draw(answer: string): Buffer {
  const gap = between(47, 54);
  const start = WIDTH / 2 - gap * 1.5 + between(-12, 12);
  const ink = coverage(
    [...answer].flatMap((name, i) => letter(oneOf(LETTERS[name]!), start + i * gap + between(-4, 4))),
  );
  const scratches = coverage([1.5, 1].flatMap(scratch));
  const cuts = coverage([1, 0.8].flatMap(scratch));
  const [moveX, moveX2, moveY, shade, side] = [wave(3.8), wave(1.8), wave(4), wave(0.1), wave(14)];
  const edge = between(60, 180);
  const grain = randomBytes(WIDTH * HEIGHT);
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const [u, v] = [x + moveX(x, y) + moveX2(y, x), y + moveY(x, y)];
      const i = y * WIDTH + x;
      let dark = Math.max(sample(ink, u, v) * (1 - 0.9 * cuts[i]!), 0.9 * scratches[i]!);
      if (x + side(x, y) > edge) dark = 1 - dark;
      const dust = grain[i]!;
      const speck = dust < 8 ? 0.5 : dust > 247 ? -0.5 : (dust / 255 - 0.5) * 0.3;
      const tone = 0.12 + 0.76 * dark + shade(x, y) + speck;
      pixels[i] = Math.round(255 * Math.max(0, Math.min(1, tone)));
    }
  return png(WIDTH, HEIGHT, pixels, PALETTE);
}

const NAMES = Object.keys(LETTERS);
/** 2 minutes, used once. */
const TTL_MS = 120_000;

const digest = (answer: string) => createHash("sha256").update(answer.toUpperCase()).digest();
export async function newCaptcha(read: Read): Promise<{ key: string; image: Buffer; answer: string }> {
  const answer = Array.from({ length: 4 }, () => NAMES[randomInt(NAMES.length)]!).join("");
  const key = randomBytes(16).toString("hex");
  const expiresAt = new Date(read.now.getTime() + TTL_MS).toISOString();
  await read.tx
    .insertInto("captcha")
    .values({ key, answerHash: digest(answer), expiresAt })
    .execute();
  await read.tx.deleteFrom("captcha").where("expiresAt", "<", read.now.toISOString()).execute();
  return { key, image: draw(answer), answer };
}

/** True for the right answer to a live key; right or wrong, the key is used up. */
export async function usesCaptcha(
  act: Act,
  key: string | undefined,
  answer: string | undefined,
): Promise<boolean> {
  if (!key || !answer) return false;
  const row = await act.tx.deleteFrom("captcha").where("key", "=", key).returningAll().executeTakeFirst();
  return !!row && new Date(row.expiresAt) > act.now && row.answerHash.equals(digest(answer));
}
