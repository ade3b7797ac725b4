import { serve } from "../../../platform/server/pipeline/serve.ts";
import { resendMessage } from "../push/send-log.contract.ts";
import { resend } from "./resend.service.ts";

export default [
  serve(resendMessage, async (act, { params }) => ({ at: (await resend(act, params.id)).toISOString() })),
];
