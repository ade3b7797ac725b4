import { Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

export type ZipEntry = {
  name: string;
  content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
};

const LIMIT = 0xffff_ffff;
/** 1980-01-01: the same content gives the same bytes. */
const DOS_DATE = 0x21;
/** Sizes follow the content; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;

/** A zip as it is made: never more in memory than what is being packed. Each part below 4 GB. */
export async function* zip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Buffer, void, undefined> {
  const directory: Buffer[] = [];
  let at = 0;
  for await (const { name, content } of entries) {
    const start = at;
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(FLAGS, 6);
    head.writeUInt16LE(DEFLATE, 8);
    head.writeUInt16LE(DOS_DATE, 12);
    const label = Buffer.from(name);
    head.writeUInt16LE(label.length, 26);
    yield Buffer.concat([head, label]);
    at += head.length + label.length;

    const seen = { crc: 0, size: 0, packed: 0 };
    const deflate = createDeflateRaw({ level: 5 });
    const source = Readable.from(counted(content, seen), { objectMode: false });
    source.on("error", (error) => deflate.destroy(error)).pipe(deflate);
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      seen.packed += chunk.length;
      yield chunk;
    }
    if (Math.max(seen.size, seen.packed, at) > LIMIT) throw new Error(`${name} is too large for a zip.`);

    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(0x08074b50, 0);
    sizes.writeUInt32LE(seen.crc, 4);
    sizes.writeUInt32LE(seen.packed, 8);
    sizes.writeUInt32LE(seen.size, 12);
    yield sizes;
    at += seen.packed + sizes.length;

    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    listed.writeUInt16LE(20, 4);
    head.copy(listed, 6, 4, 14);
    sizes.copy(listed, 16, 4);
    listed.writeUInt16LE(label.length, 28);
    listed.writeUInt32LE(start, 42);
    directory.push(listed, label);
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  yield Buffer.concat([list, end]);
}

async function* counted(content: ZipEntry["content"], seen: { crc: number; size: number }) {
  for await (const part of content) {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    seen.crc = crc32(bytes, seen.crc);
    seen.size += bytes.length;
    yield bytes;
  }
}
