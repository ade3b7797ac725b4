import { notFound } from "../../../platform/kernel/refusal.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { checkBlackList } from "./blacklist.contract.ts";
import { blackHit, blackHitOfParty } from "./blacklist.service.ts";
import { addBlack, blackEntries, removeBlack } from "./entry.contract.ts";
import { blacken, entriesOf, lift } from "./entry.service.ts";
import { aRow } from "../../../platform/server/database/row.ts";

export default [
  serveRead(checkBlackList, async (read, { query }) => {
    if (query.partyId) {
      const linked = await aRow(read, "partyVillage", ["partyId"], {
        partyId: query.partyId,
        villageId: anyOf(read.who.villages),
      });
      if (!linked) throw notFound();
    }
    const hit = query.partyId
      ? await blackHitOfParty(read, query.partyId)
      : await blackHit(read, read.who.enterpriseId, {
          certNoHash: query.certNo ? read.cipher.hash(query.certNo) : null,
          ...(query.phone && { phone: query.phone }),
        });
    return {
      level: hit?.level ?? ("none" as const),
      reason: hit?.reason ?? null,
      source: hit?.source ?? null,
    };
  }),
  serve(addBlack, (act, { body }) => blacken(act, body)),
  serveRead(blackEntries, (read, { query }) => entriesOf(read, query.partyId)),
  serveDone(removeBlack, (act, { params, body }) => lift(act, params.id, body)),
];
