import { Refusal } from "../../kernel/refusal.ts";
import { fullOf } from "../database/disk.ts";

/** SQLSTATE: the connection failed, the server ends or starts, no connection is left. */
const STATES = /^(08\w{3}|57P0[123]|53300)$/;
/** The driver's own words have no code. */
const SENTENCES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/;
const BROKEN = new Set(["ECONNRESET", "EPIPE"]);

/**
 * What is said while the database is away, has no connection left or a disk is full: nobody did anything wrong, and the same request
 * can be sent again (domain.md, idempotency). Undefined for any other failure.
 */
export function outageOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const full = fullOf(error);
  if (full) return full;
  const { code = "", syscall } = error as { code?: string; syscall?: string };
  const away =
    STATES.test(code) || syscall === "connect" || BROKEN.has(code) || SENTENCES.test(error.message);
  return away ? new Refusal("unavailable", "系统暂时繁忙，请稍后再试", 503) : undefined;
}
