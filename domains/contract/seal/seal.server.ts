import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { addSeal, dropCertificate, editSeal, importCertificate, switchSeal } from "./save.service.ts";
import * as calls from "./seal.contract.ts";
import { sealDetail, seals, sealUses } from "./seal.queries.ts";

export default [
  serveList(seals),
  serveRead(calls.getSeal, (read, { params }) => sealDetail(read, params.id)),
  serve(calls.addSeal, (act, { body }) => addSeal(act, body)),
  serve(calls.editSeal, (act, { params, body }) => editSeal(act, params.id, body)),
  serve(calls.enableSeal, (act, { params, body }) => switchSeal(act, params.id, body.version, true)),
  serve(calls.disableSeal, (act, { params, body }) => switchSeal(act, params.id, body.version, false)),
  serve(calls.importCertificate, (act, { params, body, files }) =>
    importCertificate(act, params.id, files, body.password),
  ),
  serve(calls.dropCertificate, (act, { params, query }) => dropCertificate(act, params.id, query.version)),

  serveList(sealUses),
  exportList(calls.exportSealUses),
];
