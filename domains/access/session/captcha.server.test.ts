import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { draw, HEIGHT, LETTERS, linesOf, WIDTH } from "./captcha.service.ts";
import { getImage } from "./session.contract.ts";

const house = await testHouse();
const NAMES = Object.keys(LETTERS);
const codes = (n: number) =>
  Array.from({ length: n }, (_, i) => [0, 7, 13, 4].map((k) => NAMES[(i * 3 + k * (i + 1)) % NAMES.length]!));

/** Brightness of every pixel of a picture, 0 to 255. */
function pixelsOf(picture: Buffer): Uint8Array {
  const at = picture.indexOf("IDAT");
  const rows = inflateSync(picture.subarray(at + 4, at + 4 + picture.readUInt32BE(at - 4)));
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++)
    pixels.set(rows.subarray(y * (WIDTH + 1) + 1, (y + 1) * (WIDTH + 1)), y * WIDTH);
  return pixels;
}

test("is a picture of pixels, whose key comes behind '=' in the header", async () => {
  const { headers, raw } = await house.ask(getImage, {});
  expect(headers["content-type"]).toBe("image/png");
  const key = String(headers["content-disposition"]).split("=")[1]!;
  const { rows } = await house.database.pool.query("select 1 from captcha where key = $1", [key]);
  expect(rows).toHaveLength(1);
  expect(raw.subarray(1, 4).toString()).toBe("PNG");
  // nothing but header, palette and pixels: no text, no strokes, no note
  const kinds: string[] = [];
  for (let at = 8; at < raw.length; at += raw.readUInt32BE(at) + 12)
    kinds.push(raw.toString("latin1", at + 4, at + 8));
  expect(kinds).toEqual(["IHDR", "PLTE", "IDAT", "IEND"]);
});

test("two pictures of one code have little in common", () => {
  const [one, two] = [pixelsOf(draw("A4KW")), pixelsOf(draw("A4KW"))];
  const other = one.filter((value, i) => Math.abs(value - two[i]!) > 8).length;
  expect(other / one.length).toBeGreaterThan(0.6);
});

/** Every second pixel of a cell of one letter; a reader that knows where letters stand and how they look undistorted. */
const CELL = { wide: 26, high: 36 };
const clean = NAMES.flatMap((name) =>
  LETTERS[name]!.map((shape) => {
    const lines = linesOf(shape).map((line) =>
      line.map(([x, y]) => [(x - 2) * 5.3 + 13, (y - 3) * 4.6 + 18]),
    );
    const cell = new Float32Array(CELL.wide * CELL.high);
    for (let i = 0; i < cell.length; i++) {
      const [x, y] = [i % CELL.wide, Math.floor(i / CELL.wide)];
      for (const line of lines)
        line.slice(1).forEach(([bx, by], k) => {
          const [ax, ay] = line[k]!;
          const [dx, dy] = [bx! - ax!, by! - ay!];
          const t = Math.max(0, Math.min(1, ((x - ax!) * dx + (y - ay!) * dy) / (dx * dx + dy * dy)));
          if (Math.hypot(x - ax! - dx * t, y - ay! - dy * t) < 1.7) cell[i] = 1;
        });
    }
    return { name, cell };
  }),
);
type Page = (x: number, y: number) => number;

/** Mean 0 and length 1, so that the product of two says how alike they are, whatever their contrast. */
function levelled(cell: Float32Array): Float32Array {
  let [sum, squares] = [0, 0];
  for (const v of cell) {
    sum += v;
    squares += v * v;
  }
  const mean = sum / cell.length;
  const length = Math.sqrt(squares - sum * mean) || 1;
  return cell.map((v) => (v - mean) / length);
}
const templates = clean.map(({ name, cell }) => ({ name, cell: levelled(cell) }));
const read = (page: Page): string[] =>
  [0, 1, 2, 3].map((slot) => {
    let best = { name: "", alike: -1 };
    for (let dx = -6; dx <= 6; dx += 2)
      for (let dy = -4; dy <= 4; dy += 2) {
        const [left, top] = [8 + slot * 26 + dx, 2 + dy];
        const seen = levelled(
          new Float32Array(CELL.wide * CELL.high).map((_, i) =>
            page(left + (i % CELL.wide), top + Math.floor(i / CELL.wide)),
          ),
        );
        for (const { name, cell } of templates) {
          let product = 0;
          for (let i = 0; i < cell.length; i++) product += cell[i]! * seen[i]!;
          // whichever of ink and paper is dark
          const alike = Math.abs(product);
          if (alike > best.alike) best = { name, alike };
        }
      }
    return best.name;
  });
/** Letters and whole codes that were read right, as parts of one. */
function score(pages: { code: string[]; page: Page }[]) {
  const right = pages.map(({ code, page }) => read(page).filter((name, i) => name === code[i]).length);
  return {
    letters: right.reduce((a, b) => a + b, 0) / (4 * pages.length),
    codes: right.filter((n) => n === 4).length / pages.length,
  };
}

test("holding clean letters against it reads clean pages, and mostly not these", () => {
  const typeset = codes(5).map((code) => {
    const cells = code.map((name) => clean.find((c) => c.name === name)!.cell);
    const page: Page = (x, y) => {
      const slot = Math.floor((x - 8) / 26);
      const row = y - 2;
      return row < 0 || row >= CELL.high ? 0 : (cells[slot]?.[row * CELL.wide + x - 8 - slot * 26] ?? 0);
    };
    return { code, page };
  });
  expect(score(typeset).codes).toBe(1);
  const drawn = codes(30).map((code) => {
    const pixels = pixelsOf(draw(code.join("")));
    return { code, page: ((x, y) => (pixels[2 * y * WIDTH + 2 * x] ?? 0) / 255) as Page };
  });
  const { letters, codes: whole } = score(drawn);
  expect(whole).toBeLessThan(0.25);
  expect(letters).toBeLessThan(0.7);
});
