import { refusalOf } from "../database/constraints.ts";
import { savepoint } from "../database/once.ts";
import type { Act } from "../pipeline/act.ts";

type Done = number | boolean | void;

/** The first record of a transaction that could not be done. */
const failed = new WeakMap<object, Error>();

/** What the run of a job shows of it: which record, and why. */
const told = (name: string, error: unknown): Error => {
  const { message } = (refusalOf(error) ?? error) as Error;
  return new Error(`${name}：${message}`, { cause: error });
};

/**
 * Works records off within the transaction of a job, each by itself: what one wrote that fails is taken back, and it keeps no
 * other from being done. The first failure is thrown by whoever opened the transaction once the others stand (`failureIn`). Answers
 * how much was done.
 */
export async function eachByItself<T>(
  act: Act,
  all: readonly T[],
  nameOf: (one: T) => string,
  work: (one: T) => Promise<Done>,
): Promise<number> {
  let done = 0;
  for (const one of all)
    try {
      done += Number((await savepoint(act, () => work(one))) ?? 1);
    } catch (error) {
      if (!failed.has(act.tx)) failed.set(act.tx, told(nameOf(one), error));
    }
  return done;
}

/** What failed in a transaction that stands all the same: its run is not ticked off, tells of it and is tried again. */
export const failureIn = (tx: object): Error | undefined => failed.get(tx);

/** The same where each has transactions of its own: the first failure is thrown when all have been tried. */
export async function eachAlone<T>(
  all: readonly T[],
  nameOf: (one: T) => string,
  work: (one: T) => Promise<Done>,
): Promise<number> {
  let done = 0;
  let failure: Error | undefined;
  for (const one of all)
    try {
      done += Number((await work(one)) ?? 1);
    } catch (error) {
      failure ??= told(nameOf(one), error);
    }
  if (failure) throw failure;
  return done;
}
