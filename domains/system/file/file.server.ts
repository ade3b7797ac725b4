import { invalid } from "../../../platform/kernel/refusal.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { getFile, uploadFile } from "./file.contract.ts";
import { readFile, storeFile } from "./file.service.ts";

export default [
  serve(uploadFile, async (act, { body, files }) => {
    const [upload] = files;
    if (!upload) throw invalid({ field: "file", msg: "请上传文件" });
    return storeFile(act, upload, { purpose: body.purpose });
  }),

  serveRead(getFile, (read, { params }) => readFile(read, params.id)),
];
