import { createHash } from "node:crypto";

/** What something was worked out from, in short: the same hash means that nothing of it has changed. */
export const basisHash = (basis: unknown): string =>
  createHash("sha256").update(JSON.stringify(basis)).digest("hex");
