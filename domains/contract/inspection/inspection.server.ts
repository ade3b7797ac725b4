import type { Call } from "../../../platform/kernel/call.ts";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { needsOf } from "../terms/kind.rules.ts";
import { listSheets, saveSheet, sheetFile, startSheet } from "./inspection.contract.ts";
import { sheetsOf } from "./inspection.queries.ts";
import { save, startOf } from "./inspection.service.ts";
import { handoverFile } from "./paper.service.ts";

/** The contract, for whoever may look at its kind, settles it or moves its tenant. */
async function looked(read: Read, id: number, { needs }: Pick<Call, "needs">) {
  const contract = await contractRecord(read, id);
  const may = [...needsOf(needs, contract.kind), "72.get" as const, "96.get" as const];
  if (!may.some((permit) => read.who.permits.has(permit))) throw forbidden();
  return contract;
}

export default [
  serveRead(listSheets, async (read, { params }) => {
    const { rooms } = await looked(read, params.id, listSheets);
    return {
      rooms: rooms.map(({ roomId, name }) => ({ roomId, name })),
      sheets: await sheetsOf(read, params.id),
    };
  }),
  serveRead(startSheet, async (read, { params, query }) => {
    await looked(read, params.id, startSheet);
    return startOf(read, params.id, query);
  }),
  serve(saveSheet, (act, { params, body }) => save(act, params.id, body)),
  serveRead(sheetFile, async (read, { params }) => {
    const contract = await looked(read, params.id, sheetFile);
    const sheet = (await sheetsOf(read, params.id)).find((s) => s.id === params.sheetId);
    if (!sheet) throw notFound();
    return handoverFile(read, contract, sheet);
  }),
];
