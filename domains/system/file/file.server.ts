import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Upload } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { getFile, uploadFile, UPLOADS } from "./file.contract.ts";
import { PURPOSE_NAMES, type PurposeName } from "./purposes.rules.ts";
import { readFile, storeFile } from "./file.service.ts";

async function keep(act: Act, [upload]: Upload[], purpose: PurposeName) {
  if (!upload) throw invalid({ field: "file", msg: "请上传文件" });
  return storeFile(act, upload, { purpose });
}

export default [
  serve(uploadFile, (act, { body, files }) => keep(act, files, body.purpose)),
  ...PURPOSE_NAMES.map((purpose) => serve(UPLOADS[purpose], (act, { files }) => keep(act, files, purpose))),

  serveRead(getFile, (read, { params }) => readFile(read, params.id)),
];
