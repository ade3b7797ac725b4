import { yuan } from "../../../platform/kernel/fen.ts";
import { earnestFor } from "../../customer/reservation/reservation.service.ts";
import { admit } from "../contract/contract.queries.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { previewContract } from "./preview.contract.ts";
import { weighDraft, weighStored } from "./preview.service.ts";

export default [
  // What was handed in is weighed as it was copied then; only a draft looks at the rooms and prices of now.
  serveRead(previewContract, async (read, { body }) => {
    await admit(read, body.id, previewContract);
    const contract = await contractRecord(read, body.id);
    const weighed =
      contract.state === "draft" ? await weighDraft(read, contract) : weighStored(read, contract);
    const earnest = await earnestFor(
      read,
      contract,
      contract.rooms.map((room) => room.roomId),
    );
    const { preview } = weighed;
    const told = earnest.map(
      (r) =>
        `预订 ${r.number} 的${r.earnestKind} ${yuan(r.held)} 元在签署后抵作首期款，签约应收余 ${yuan(Math.max(0, preview.totals.atSigning - r.held))} 元`,
    );
    return { ...preview, warnings: [...told, ...preview.warnings] };
  }),
];
