import { serve } from "../../../platform/server/pipeline/serve.ts";
import { sendReservationPaper } from "./send.contract.ts";
import { sendPaper } from "./send.service.ts";

export default [
  serve(sendReservationPaper, async (act, { params }) => ({ sent: await sendPaper(act, params.id) })),
];
