import { glob } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Call, Given, Returned } from "../../kernel/call.ts";
import type { Act, Raw, Read, Upload } from "./act.ts";

/** What comes beside the parsed parts: files, and the bytes themselves where the call asks for them. */
type Sent = { files: Upload[]; raw: Raw };

/** Handlers of calls that write get an Act; the same type serves reads, which have no use for the rest of it. */
export type Handler<C> = (act: Act, given: Given<C> & Sent) => Promise<Returned<C>>;
export type Served = { call: Call; handle: Handler<Call> };

/** Binds a call to its handler. A `*.server.ts` file exports a default list of these; it is found by its name. */
export const serve = <C extends Call>(call: C, handle: Handler<C>): Served => ({
  call,
  handle: handle as unknown as Handler<Call>,
});

/** For an act that answers nothing: whatever its service says is left out. */
export const serveDone = <C extends Call>(
  call: null extends Returned<C> ? C : never,
  handle: (act: Act, given: Given<C> & Sent) => Promise<unknown>,
): Served => ({
  call,
  handle: async (act, given) => {
    await handle(act, given as unknown as Given<C> & Sent);
    return null as never;
  },
});

/** For a call that only reads: the handler cannot write by mistake of its type. */
export const serveRead = <C extends Call>(
  call: C,
  handle: (read: Read, given: Given<C> & Sent) => Promise<Returned<C>>,
): Served => ({ call, handle: handle as unknown as Handler<Call> });

const root = fileURLToPath(new URL("../../../", import.meta.url));

type Role = "server" | "job";
const found = new Map<Role, Promise<unknown[]>>();

/** Default exports of all files of one role below domains/, in the order of their paths; looked for once in a process. */
export async function everyOf<T>(role: Role): Promise<T[]> {
  const kept = found.get(role) ?? find(role);
  found.set(role, kept);
  return (await kept) as T[];
}

async function find(role: Role): Promise<unknown[]> {
  const paths: string[] = [];
  for await (const path of glob(`domains/*/*/*.${role}.ts`, { cwd: root })) paths.push(path);
  const files = await Promise.all(
    paths.toSorted().map((p) => import(pathToFileURL(root + p).href) as Promise<{ default?: unknown[] }>),
  );
  return files.flatMap((f) => f.default ?? []);
}

export const everyServed = () => everyOf<Served>("server");
