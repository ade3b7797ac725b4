import { actOf, type House } from "../../platform/server/pipeline/pipeline.ts";
import { whoActs } from "../../domains/access/operator/scope.service.ts";
import { nobody, type Act } from "../../platform/server/pipeline/act.ts";
import { recordById } from "../../domains/contract/contract/record.queries.ts";
import { weighStored } from "../../domains/contract/preview/preview.service.ts";
import { start } from "../../domains/contract/esign/flow.service.ts";
import { agree, openLink, refuse, sendSigningCode } from "../../domains/contract/esign/party.service.ts";

type ToSign = { id: number; last4: string };
const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
/** A picture of one dot: nobody wrote these names. */
const INK =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** The company was made in bulk, so nobody has seen a preview of the contracts that wait to be signed. */
async function agreePreviews(act: Act): Promise<void> {
  const waiting = await act.tx
    .selectFrom("contract")
    .select("id")
    .where("state", "=", "signing")
    .where("previewHash", "=", "0".repeat(64))
    .execute();
  for (const { id } of waiting) {
    const { previewHash } = weighStored(act, (await recordById(act, id))!).preview;
    await act.tx.updateTable("contract").set({ previewHash }).where("id", "=", id).execute();
  }
}

/**
 * Contracts that are signed electronically as the demo begins: one whose link was sent, one that its tenant refused, one that waits
 * for the seal. They need files, which only a running house has.
 */
export async function makeSignings(house: House, clerk: number): Promise<void> {
  const { pool, db } = house.database;
  const { rows } = await pool.query<ToSign>(
    `select c.id, right(r.cert_no_masked, 4) last4 from contract c join renter r on r.id = c.party_id
     join party p on p.id = r.id where c.state = 'signing' and c.sign_deadline > now() + interval '1 day'
       and r.cert_no_masked ~ '[0-9X]{4}$' and p.phone ~ '^1[3-9][0-9]{9}$'
       and (r.birthday is null or r.birthday < now() - interval '19 years')
       and c.village_id in (select unnest(village_ids) from operator where id = $1)
       and not exists (select from contract_act a where a.result_contract_id = c.id) order by c.id limit 3`,
    [clerk],
  );
  const who = await whoActs(db, clerk);
  const doing = <R>(as: typeof nobody, work: (act: Act) => Promise<R>): Promise<R> =>
    db
      .transaction()
      .execute((tx) =>
        work(actOf({ ...house }, tx, as, { requestId: "demo", ip: "127.0.0.1", userAgent: PHONE })),
      );
  await doing(nobody, agreePreviews);
  for (const [i, { id, last4 }] of rows.entries()) {
    const { links } = await doing(who, (act) => start(act, id));
    const token = links[0]!.path.split("/").at(-1)!;
    if (i === 0) continue;
    const { device } = await doing(nobody, (act) => openLink(act, token, last4));
    if (i === 1) {
      await doing(nobody, (act) => refuse(act, token, { device, reason: "起租日期需要推迟一周" }));
      continue;
    }
    await doing(nobody, (act) => sendSigningCode(act, token, { device }));
    const { rows: sent } = await pool.query<{ code: string; hash: string }>(
      `select o.params->>'code' code, w.document_hash hash from outbox o
       join sign_signer s on s.code_outbox_id = o.id join sign_flow w on w.id = s.flow_id where w.contract_id = $1`,
      [id],
    );
    const { code, hash } = sent[0]!;
    await doing(nobody, (act) =>
      agree(act, token, { device, captcha: code, documentHash: hash, handwriting: INK }),
    );
  }
}
