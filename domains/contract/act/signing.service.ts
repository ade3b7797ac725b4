import type { Act } from "../../../platform/server/pipeline/act.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";

/** What a signing presents: a contract, or the document of an act on it. */
export type Presented = { contractId: number; actId: number | null };

/** The signings of it that are under way; a contract may be presented with the one that it swaps rooms with. */
export const live = ({ tx }: Pick<Act, "tx">, { contractId, actId }: Presented) =>
  tx
    .selectFrom("signFlow as w")
    .select("w.id")
    .where(({ eb, and, or }) =>
      actId === null
        ? and([
            or([eb("w.contractId", "=", contractId), eb("w.otherContractId", "=", contractId)]),
            eb("w.actId", "is", null),
          ])
        : eb("w.actId", "=", actId),
    )
    .where("w.endedAt", "is", null);

export const beingSigned = async (read: Pick<Act, "tx">, of: Presented): Promise<boolean> =>
  (await live(read, of).executeTakeFirst()) !== undefined;

/** Ends what is being signed: its links lead nowhere from now on. Answers how many signings that were. */
export async function endSignings(
  act: Act,
  of: Presented,
  state: "cancelled" | "expired" | "failed" | "refused",
  why: string,
): Promise<number> {
  const ended = await act.tx
    .updateTable("signFlow")
    .set({
      state,
      failReason: why.slice(0, 300),
      endedAt: act.now.toISOString(),
      updatedAt: act.now.toISOString(),
      updatedBy: act.who.operatorId || null,
    })
    .where("id", "in", live(act, of))
    .returning("id")
    .execute();
  return ended.length;
}

/** What everybody of the party has signed is not taken from under them. */
export async function refuseSigned(act: Act, of: Presented, sentence: string): Promise<void> {
  const signed = await live(act, of)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("signSigner as s")
            .select("s.id")
            .whereRef("s.flowId", "=", "w.id")
            .where("s.role", "<>", "enterprise")
            .where("s.state", "<>", "signed"),
        ),
      ),
    )
    .executeTakeFirst();
  if (signed) throw new Refusal("notAllowed", sentence, 409);
}
