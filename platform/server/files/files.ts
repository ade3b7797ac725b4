import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Bytes at hand, or a stream of them that nobody wants to hold in memory. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>;
export type Kept = { key: string; sha256: string; size: number };

/** Where the bytes of uploads and exports lie. What they are and who may read them stands in stored_file. */
export type FileStore = {
  /** Keeps the bytes and answers the key they lie under. */
  put: (content: Content) => Promise<Kept>;
  get: (key: string) => Promise<Buffer>;
  /** The same bytes as they come, for large files. Fails at once when there are none. */
  open: (key: string) => Promise<AsyncIterable<Uint8Array>>;
  remove: (key: string) => Promise<void>;
};

export function newKey(): string {
  const id = randomUUID();
  return `${id.slice(0, 2)}/${id}`;
}

/** Keys are made here and nowhere else; what does not look like one never becomes a path. */
export function checkedKey(key: string): string {
  if (!/^[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key))
    throw new Error(`not a file key: ${JSON.stringify(key)}`);
  return key;
}

/** Writes the content to a new file of its owner alone and tells what it was. */
export async function writeDown(content: Content, place: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  const source = content instanceof Uint8Array ? [content] : content;
  await pipeline(
    Readable.from(source, { objectMode: false }),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(place, { mode: 0o600, flush: true }),
  );
  return { sha256: hash.digest("hex"), size };
}

/** A folder on this machine. Files are written aside and moved into place, so a half-written one is never seen. */
export function localFiles(folder: string): FileStore {
  const at = (key: string) => path.join(folder, checkedKey(key));
  return {
    put: async (content) => {
      const key = newKey();
      const place = at(key);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      try {
        const what = await writeDown(content, `${place}.part`);
        await rename(`${place}.part`, place);
        return { key, ...what };
      } catch (error) {
        await rm(`${place}.part`, { force: true });
        throw error;
      }
    },
    get: async (key) => readFile(at(key)),
    open: async (key) => {
      const stream = createReadStream(at(key));
      await new Promise((resolve, reject) => stream.once("open", resolve).once("error", reject));
      return stream as AsyncIterable<Uint8Array>;
    },
    remove: async (key) => rm(at(key), { force: true }),
  };
}

/** What the first bytes say the content is; the name and the declared type are not believed. */
export function contentOf(bytes: Uint8Array): "jpg" | "png" | "pdf" | "zip" | undefined {
  const hex = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  if (hex.startsWith("ffd8ff")) return "jpg";
  if (hex === "89504e470d0a1a0a") return "png";
  if (hex.startsWith("255044462d")) return "pdf";
  if (hex.startsWith("504b0304")) return "zip";
  return undefined;
}
