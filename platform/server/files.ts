import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Where the bytes of uploads and exports lie. What they are and who may read them stands in stored_file. */
export type FileStore = {
  /** Keeps the bytes and answers the key they lie under. */
  put: (bytes: Uint8Array) => Promise<{ key: string; sha256: string }>;
  get: (key: string) => Promise<Buffer>;
  remove: (key: string) => Promise<void>;
};

/** A folder on this machine. Files are written aside and moved into place, so a half-written one is never seen. */
export function localFiles(folder: string): FileStore {
  const at = (key: string) => {
    if (!/^[0-9a-f]{2}\/[0-9a-f-]{36}$/.test(key)) throw new Error(`not a file key: ${key}`);
    return path.join(folder, key);
  };
  return {
    put: async (bytes) => {
      const id = randomUUID();
      const key = `${id.slice(0, 2)}/${id}`;
      const place = at(key);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      await writeFile(`${place}.part`, bytes, { mode: 0o600, flush: true });
      await rename(`${place}.part`, place);
      return { key, sha256: createHash("sha256").update(bytes).digest("hex") };
    },
    get: (key) => readFile(at(key)),
    remove: (key) => rm(at(key), { force: true }),
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
