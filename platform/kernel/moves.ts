import { Refusal } from "./refusal.ts";

/** One allowed move of a state machine. `unless` answers the sentence that forbids it, or nothing. */
export type Move<S extends string, R> = {
  /** What the button says: 作废, 提交. */
  label: string;
  from: readonly S[];
  to: S | ((row: R) => S);
  unless?: (row: R) => string | false | undefined;
};

export type Moves<S extends string, N extends string, R> = {
  /** The sentence that stands in the way, or undefined when the move is allowed. */
  refusal: (name: N, row: R & { status: S }) => string | undefined;
  /** The state after the move; throws a Refusal (409 notAllowed) when it is not allowed. */
  next: (name: N, row: R & { status: S }) => S;
  label: (name: N) => string;
};

const STANDS = "当前状态为";
/** Whether a move is refused because it belongs to other states, not for a reason that somebody could do something about. */
export const ofOtherStates = (why: string | undefined): boolean => why?.startsWith(STANDS) ?? false;

/**
 * A state machine as one table. The server enforces it; the console leaves out what belongs to other states, and greys out
 * what else is refused, with the reason.
 * `words` names the states as people read them.
 */
export function moves<S extends string, R>(words: Record<S, string>) {
  return <N extends string>(table: Record<N, Move<S, R>>): Moves<S, N, R> => {
    const refusal = (name: N, row: R & { status: S }) => {
      const move = table[name];
      if (!move.from.includes(row.status)) return `${STANDS}“${words[row.status]}”，不能${move.label}`;
      return move.unless?.(row) || undefined;
    };
    return {
      refusal,
      label: (name) => table[name].label,
      next: (name, row) => {
        const why = refusal(name, row);
        if (why) throw new Refusal("notAllowed", why, 409);
        const { to } = table[name];
        return typeof to === "function" ? to(row) : to;
      },
    };
  };
}
