/**
 * Pictures as they are kept: without the place where they were taken and whatever else phones and programs write
 * beside the pixels. Only how to turn a photo upright stays.
 */
type Cleaned = { bytes: Buffer; width: number; height: number };

/** Enough for every phone; more is a trap for whoever opens it. */
export const MOST_PIXELS = 64_000_000;

const TEXT_CHUNKS = new Set(["eXIf", "tEXt", "zTXt", "iTXt"]);

/** Undefined when it is no whole PNG. */
export function cleanPng(bytes: Buffer): Cleaned | undefined {
  const kept = [bytes.subarray(0, 8)];
  let size: { width: number; height: number } | undefined;
  let pixels = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (end > bytes.length || !/^[A-Za-z]{4}$/.test(type)) return undefined;
    if (at === 8) {
      if (type !== "IHDR" || end - at !== 25) return undefined;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === "IDAT") pixels = true;
    if (!TEXT_CHUNKS.has(type)) kept.push(bytes.subarray(at, end));
    // what follows the end is not part of the picture
    if (type === "IEND") return size && pixels ? { bytes: Buffer.concat(kept), ...size } : undefined;
    at = end;
  }
  return undefined;
}

/** Undefined when it is no readable JPEG. */
export function cleanJpeg(bytes: Buffer): Cleaned | undefined {
  const kept = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let scans = 0;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return undefined;
    const segment = bytes.subarray(at, end);
    if (isFrame(marker)) {
      if (segment.length < 9) return undefined;
      size = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
    }
    if (marker === 0xe1) kept.push(...upright(segment));
    else if (!isBeside(marker, segment)) kept.push(segment);
    at = end;
    if (marker === 0xda) {
      scans++;
      const next = endOfScan(bytes, at);
      kept.push(bytes.subarray(at, next));
      at = next;
    }
  }
  if (!size || !scans) return undefined;
  return { bytes: Buffer.concat([...kept, Buffer.from([0xff, 0xd9])]), ...size };
}

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Comments, editor records, and the index of further pictures behind this one, which are cut off. */
const isBeside = (marker: number, segment: Buffer) =>
  marker === 0xfe || marker === 0xed || (marker === 0xe2 && segment.toString("latin1", 4, 8) === "MPF\0");

/** Where the next marker stands: inside a scan, FF is followed by 00 or a restart mark. */
function endOfScan(bytes: Buffer, from: number): number {
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const next = bytes[at + 1]!;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

// A camera's record with one entry, the orientation, whose value stands at byte 28.
const RECORD = "ffe1 0022 457869660000 4d4d002a 00000008 0001 0112 0003 00000001 0000 0000 00000000";

/** From a camera's record only the orientation, when there is one to tell. */
function upright(segment: Buffer): Buffer[] {
  const orientation = orientationOf(segment);
  if (!orientation || orientation === 1 || orientation > 8) return [];
  const made = Buffer.from(RECORD.replaceAll(" ", ""), "hex");
  made.writeUInt16BE(orientation, 28);
  return [made];
}

function orientationOf(segment: Buffer): number | undefined {
  if (segment.toString("latin1", 4, 10) !== "Exif\0\0") return undefined;
  const tiff = segment.subarray(10);
  const little = tiff.toString("latin1", 0, 2) === "II";
  const word = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  try {
    const table = long(4);
    for (let i = 0; i < word(table); i++) {
      const entry = table + 2 + i * 12;
      if (word(entry) === 0x0112) return word(entry + 8);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}
