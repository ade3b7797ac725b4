import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";

/** Numbers as they are looked up, by their hashes, and the number that a hash stands for. */
export function hashedAs<N extends { value: string }>(read: Read, numbers: readonly N[]) {
  const byHash = new Map(numbers.map((no) => [read.cipher.hash(no.value).toString("hex"), no]));
  const hashes = [...byHash.keys()].map((hex) => Buffer.from(hex, "hex"));
  return {
    hashes: sql<Buffer>`any(${hashes}::bytea[])`,
    named: (hash: Uint8Array): N => byHash.get(Buffer.from(hash).toString("hex"))!,
  };
}
