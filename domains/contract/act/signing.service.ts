import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";

/** What a signing presents: a contract, or the document of an act on it. */
export type Presented = { contractId: number; actId: number | null };

/** SQL: a signing `w` whose next act is the enterprise's seal. */
export const awaitsSeal = sql<boolean>`(w.ended_at is null and w.provider = 'embedded'
  and (w.sign_order = 'enterpriseFirst' and w.state = 'created'
    or w.state = 'signing' and not exists (select 1 from sign_signer s
      where s.flow_id = w.id and s.role <> 'enterprise' and s.state <> 'signed')))`;

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
