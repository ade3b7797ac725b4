import { yuan } from "../../../platform/kernel/fen.ts";
import { earnestFor } from "../../customer/reservation/reservation.service.ts";
import { admit } from "../contract/contract.queries.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { wholeWorkbook } from "../../../platform/server/sheets/book.ts";
import { xlsxReply } from "../../../platform/server/sheets/sheet-template.ts";
import { billSheet } from "./bill-sheet.service.ts";
import { previewBook, previewContract } from "./preview.contract.ts";
import { weighDraft, weighStored } from "./preview.service.ts";

/** What was handed in is weighed as it was copied then; only a draft looks at the rooms and prices of now. */
async function weighedNow(read: Read, id: number) {
  await admit(read, id, previewContract);
  const contract = await contractRecord(read, id);
  return contract.state === "draft" ? weighDraft(read, contract) : weighStored(read, contract);
}

export default [
  serveRead(previewContract, async (read, { body }) => {
    const weighed = await weighedNow(read, body.id);
    const { contract } = weighed;
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
  serveRead(previewBook, async (read, { params }) => {
    const { contract, preview } = await weighedNow(read, params.id);
    const sheet = billSheet(preview, new Map(contract.rooms.map((r) => [r.roomId, r.name])));
    return xlsxReply(`账单明细_${contract.contractNo}.xlsx`, await wholeWorkbook([sheet]));
  }),
];
