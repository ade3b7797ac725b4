import zlib from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;

/** Chunks of a PNG: those of one type joined. */
function chunk(png: Buffer, type: string): Buffer {
  const found: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === type)
      found.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(found);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(zlib.crc32(body), body.length + 4);
  return whole;
}

/** Which of left, above and above left is nearest to their gradient (PNG, filter 4). */
function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** The bytes of the pixels, row by row, without their filters. */
function unfiltered(rows: Buffer, height: number, pixel: number): Buffer {
  const stride = rows.length / height - 1;
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)]!;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= pixel ? out[at - pixel]! : 0;
      const up = y ? out[at - stride]! : 0;
      const corner = y && x >= pixel ? out[at - stride - pixel]! : 0;
      const from = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
      out[at] = rows[y * (stride + 1) + 1 + x]! + from;
    }
  }
  return out;
}

const distance = (a: number, b: number): number => {
  const [r, g, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
  return r * r + g * g + blue * blue;
};

/** Of the colours with how often each is there: those that leave the others nearest to one of them. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const left = [...counts].map(([colour, count]) => ({ colour, count, off: Infinity }));
  const palette: number[] = [];
  let next: number | undefined = left.toSorted((a, b) => b.count - a.count)[0]?.colour;
  while (next !== undefined && palette.length < COLOURS) {
    palette.push(next);
    let worst = 0;
    const chosen: number = next;
    next = undefined;
    for (const one of left) {
      one.off = Math.min(one.off, distance(one.colour, chosen));
      if (one.off * one.count <= worst) continue;
      worst = one.off * one.count;
      next = one.colour;
    }
  }
  return palette;
}

/**
 * A screenshot (PNG of 8 bits a channel, with or without alpha, which is dropped) in at most 256 colours: a third of its bytes,
 * and on a page nothing that an eye would miss.
 */
export function inFewColours(png: Buffer): Buffer {
  const head = chunk(png, "IHDR");
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const pixel = head[9] === 6 ? 4 : 3;
  if (head[8] !== 8 || (head[9] !== 2 && head[9] !== 6)) return png;
  const bytes = unfiltered(zlib.inflateSync(chunk(png, "IDAT")), height, pixel);
  const colourAt = (i: number) => bytes.readUIntBE(i * pixel, 3);
  const counts = new Map<number, number>();
  for (let i = 0; i < width * height; i++) counts.set(colourAt(i), (counts.get(colourAt(i)) ?? 0) + 1);
  const palette = paletteOf(counts);
  const nearest = new Map<number, number>();
  for (const colour of counts.keys()) {
    let best = 0;
    for (let i = 1; i < palette.length; i++)
      if (distance(palette[i]!, colour) < distance(palette[best]!, colour)) best = i;
    nearest.set(colour, best);
  }
  const rows = Buffer.alloc((width + 1) * height);
  for (let i = 0; i < width * height; i++) rows[i + Math.floor(i / width) + 1] = nearest.get(colourAt(i))!;
  const meta = Buffer.from(head);
  meta[9] = 3;
  const table = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, i) => table.writeUIntBE(colour, i * 3, 3));
  return Buffer.concat([
    SIGNATURE,
    chunkOf("IHDR", meta),
    chunkOf("PLTE", table),
    chunkOf("IDAT", zlib.deflateSync(rows, { level: 9 })),
    chunkOf("IEND", Buffer.alloc(0)),
  ]);
}
