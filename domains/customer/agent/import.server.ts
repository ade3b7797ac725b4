import { invalid } from "../../../platform/kernel/refusal.ts";
import { markedBook } from "../../../platform/server/noted-sheet.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { xlsxReply } from "../../../platform/server/sheet-template.ts";
import { agentErrorFile, agentTemplate, checkAgents, commitAgents } from "./import.contract.ts";
import { checkedFile, checkFile, checkUpload, commitFile, SHEET, templateFile } from "./import.service.ts";

export default [
  serveRead(agentTemplate, async () => xlsxReply("经纪人导入模板.xlsx", await templateFile())),
  serve(checkAgents, async (act, { body, files }) => {
    const [upload] = files;
    if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
    return checkUpload(act, upload, body.villageId);
  }),
  serveRead(agentErrorFile, async (read, { params }) => {
    const file = await checkedFile(read, params.id);
    const { errors } = await checkFile(read, file.bytes, file.villageId);
    return xlsxReply(`标错_${file.name}`, await markedBook(file.bytes, SHEET, errors));
  }),
  serve(commitAgents, async (act, { params }) => ({ made: await commitFile(act, params.id) })),
];
