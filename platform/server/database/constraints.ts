import { TOO_LARGE } from "../../kernel/fen.ts";
import { invalid, Refusal } from "../../kernel/refusal.ts";

type Sentence = { msg: string; field?: string; code?: string };
const known = new Map<string, Sentence>();

/**
 * The database is the last guard in a race. A domain says here, once, how each of its constraints reads to a person:
 * with a field the sentence lands under that input (400), without one it is a conflict (409).
 */
export function constraintSays(name: string, sentence: Sentence) {
  known.set(name, sentence);
}

const held = new Map<string, Sentence>();
/** How it reads, of a table whose rows people delete, that something else still names the row, whatever that is. */
export function heldSays(table: string, sentence: Sentence) {
  held.set(table, sentence);
}

/** What PostgreSQL says of a sum that no column takes. */
const OUT_OF_RANGE = "22003";

type DatabaseError = { code?: string; constraint?: string };

/** The refusal a database error stands for, or nothing when it is a bug. */
export function refusalOf(error: unknown): Refusal | undefined {
  const { code, constraint } = error as DatabaseError;
  if (code === OUT_OF_RANGE) return new Refusal("beyond", "数值或合计超出可计算的范围，请核对金额");
  if (!code || !code.startsWith("23")) return undefined;
  // the bounds of amounts
  if (constraint?.endsWith("_bound")) return new Refusal("beyond", TOO_LARGE);
  const { message } = error as Error;
  const inUse = code === "23503" ? /^update or delete on table "(\w+)"/.exec(message)?.[1] : undefined;
  const sentence = (inUse && held.get(inUse)) || (constraint ? known.get(constraint) : undefined);
  if (sentence)
    return sentence.field
      ? invalid({ field: sentence.field, msg: sentence.msg })
      : new Refusal(sentence.code ?? "conflict", sentence.msg, 409);
  // an id that somebody sent and nothing has; a row that others hold on to is a bug where no sentence was given
  if (code === "23503" && /^insert or update/.test(message))
    return new Refusal("notFound", "所选的记录不存在或已被删除，请刷新后重新选择", 404);
  return code === "23505" ? new Refusal("conflict", "相同的记录已存在", 409) : undefined;
}

/** Worth another try: two transactions waited for each other, or could not be ordered. */
export const isPassing = (error: unknown) => ["40001", "40P01"].includes((error as DatabaseError).code ?? "");
