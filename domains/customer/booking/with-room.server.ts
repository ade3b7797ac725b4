import { serve } from "../../../platform/server/pipeline/serve.ts";
import { addLeadWithRoom } from "./with-room.contract.ts";
import { createWithRoom } from "./with-room.service.ts";

export default [serve(addLeadWithRoom, (act, { body }) => createWithRoom(act, body))];
