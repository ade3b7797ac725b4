import { serveList } from "../../../platform/server/lists/list.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Upload } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { storeFile } from "../../system/file/file.service.ts";
import type { PurposeName } from "../../system/file/purposes.rules.ts";
import * as authorise from "./authorise.service.ts";
import * as calls from "./lessor.contract.ts";
import { lessorDetail, lessors } from "./lessor.queries.ts";
import { addLessor, deleteLessor, editLessor, switchLessor } from "./lessor.service.ts";
import * as verify from "./verify.service.ts";

const keep = (act: Act, [upload]: Upload[], purpose: PurposeName) => {
  if (!upload) throw invalid({ field: "file", msg: "请上传文件" });
  return storeFile(act, upload, { purpose });
};

export default [
  serveList(lessors),
  exportList(calls.exportLessors),
  serveRead(calls.getLessor, (read, { params }) => lessorDetail(read, params.id)),
  serve(calls.addLessor, (act, { body }) => addLessor(act, body)),
  serve(calls.editLessor, (act, { params, body }) => editLessor(act, params.id, body)),
  serve(calls.deleteLessor, (act, { params, query }) => deleteLessor(act, params.id, query.version)),
  serve(calls.enableLessor, (act, { params, body }) => switchLessor(act, params.id, body.version, true)),
  serve(calls.disableLessor, (act, { params, body }) => switchLessor(act, params.id, body.version, false)),

  serve(calls.uploadCompanyPapers, (act, { files }) => keep(act, files, "paper10M")),
  serve(calls.uploadLegalPapers, (act, { files }) => keep(act, files, "image10M")),

  serve(calls.verifyLessor, async (act, { params, query, raw }) => {
    if (query.start) await verify.startVerify(act, params.id, query.way, raw);
    return verify.verification(act, params.id);
  }),
  serve(calls.sendVerifyCode, (act, { params }) => verify.sendVerifyCode(act, params.id)),
  serve(calls.confirmVerify, (act, { params, body }) => verify.confirmVerify(act, params.id, body.captcha)),
  serve(calls.seeTransfer, (act, { params }) => verify.seeTransfer(act, params.id)),
  serve(calls.sentTransfer, (act, { params }) => verify.sentTransfer(act, params.id)),
  serve(calls.confirmTransfer, (act, { params, body }) =>
    verify.confirmTransfer(act, params.id, body.amount),
  ),
  serve(calls.cancelVerify, (act, { params }) => verify.cancelVerify(act, params.id)),
  serve(calls.decideVerify, (act, { params, body }) => verify.decideVerify(act, params.id, body)),

  serve(calls.authoriseLessor, async (act, { params, query: { start, ...asked }, raw }) => {
    const link = start && (await authorise.startAuthorise(act, params.id, asked, raw));
    return { ...(await authorise.authorisation(act, params.id)), ...(link && { link }) };
  }),
  serve(calls.resendLetter, (act, { params }) => authorise.resendLetter(act, params.id)),
  serve(calls.cancelAuthorisation, (act, { params }) => authorise.cancelAuthorisation(act, params.id)),
  serve(calls.revokeAuthorisation, (act, { params, body }) =>
    authorise.revokeAuthorisation(act, params.id, body),
  ),
];
