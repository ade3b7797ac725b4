import { Refusal } from "../../kernel/refusal.ts";
import { refusalOf } from "../database/constraints.ts";
import type { Act } from "../pipeline/act.ts";
import { actOf, type House } from "../pipeline/pipeline.ts";

type Work = {
  /** Whose work it is, and what the log calls it. */
  who: Act["who"];
  requestId: string;
  /** Rows that wait, by their numbers in the order of work. */
  left: readonly number[];
  /** Does the row, unless somebody has done it meanwhile, and writes down that it is done. */
  one: (act: Act, seq: number) => Promise<unknown>;
  /** Writes down why a row was not done. */
  refused: (act: Act, seq: number, refusal: Refusal | undefined) => Promise<unknown>;
};

/**
 * Works rows off one after the other, each in a transaction of its own that also says what became of it: one that is refused keeps no
 * other from being done, and started again after a stop it goes on where it stopped. What is no refusal is tried once more, as the
 * database may have been lost on the way; the first that stays is thrown by `rethrow` once all have been tried.
 */
export async function rowsAlone(house: House, { who, requestId, left, one, refused }: Work) {
  const within = <T>(work: (act: Act) => Promise<T>) =>
    house.database.db
      .transaction()
      .execute((tx) => work(actOf(house, tx, who, { requestId, ip: "", userAgent: "job" })));
  const known = (error: unknown) => (error instanceof Refusal ? error : refusalOf(error));
  let failure: unknown;
  for (const seq of left)
    try {
      await within((act) => one(act, seq)).catch((error: unknown) => {
        if (known(error)) throw error;
        return within((act) => one(act, seq));
      });
    } catch (error) {
      const refusal = known(error);
      if (!refusal) failure ??= error;
      await within((act) => refused(act, seq, refusal));
    }
  return {
    /** An expected no is told with its row; anything else is a bug. */
    rethrow: () => {
      if (failure) throw failure;
    },
  };
}
