import type { Call } from "../../kernel/call.ts";
import { fileIdsIn } from "../../kernel/fields/file-fields.ts";
import type { Act } from "./act.ts";
import type { Handler } from "./serve.ts";

/** Sees to it that a record has taken every file that a call brought; given by the domain that keeps the files. */
type Taking = (act: Act, fileIds: readonly number[]) => Promise<void>;
let taking: Taking | undefined;
export const takesFiles = (by: Taking): void => void (taking = by);

/** Handles a write; afterwards every file in its body hangs on a record, or the call is refused whole. */
export async function handled(
  call: Call,
  handle: Handler<Call>,
  act: Act,
  given: Record<string, unknown>,
): Promise<unknown> {
  const answer = await handle(act, given as never);
  const brought = fileIdsIn(call.body, given.body);
  if (brought.length) await taking?.(act, brought);
  return answer;
}
