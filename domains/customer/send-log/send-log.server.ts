import { serveList } from "../../../platform/server/lists/list.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { resend } from "./resend.service.ts";
import { exportSendLog, resendMessage } from "./send-log.contract.ts";
import { sent } from "./send-log.queries.ts";

export default [
  serveList(sent),
  exportList(exportSendLog),
  serve(resendMessage, async (act, { params }) => ({ at: (await resend(act, params.id)).toISOString() })),
];
