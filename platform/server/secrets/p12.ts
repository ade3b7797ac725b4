import { Worker } from "node:worker_threads";

export type P12Task = { bytes: Uint8Array; password: string };
/** The certificate and those that issued it, in this order, and its key; or what is wrong with the file. */
export type P12Read =
  | { pems: string[]; privateKey: string }
  | { no: "password" | "unreadable" | "key" | "certificate" };

const TIME_LIMIT = 20_000;

/**
 * Opens a PKCS#12 file (.p12, .pfx). How often a password is hashed is said in the file itself, so it is read apart from
 * the server, and given up after a while.
 */
export async function readP12(bytes: Buffer, password: string): Promise<P12Read> {
  const worker = new Worker(new URL("./p12-worker.ts", import.meta.url), {
    workerData: { bytes, password } satisfies P12Task,
    resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 4 },
  });
  const { promise, resolve } = Promise.withResolvers<P12Read>();
  const late = setTimeout(() => resolve({ no: "unreadable" }), TIME_LIMIT);
  worker.on("message", resolve);
  worker.on("error", () => resolve({ no: "unreadable" }));
  worker.on("exit", () => resolve({ no: "unreadable" }));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}
