import { serve } from "../../../platform/server/pipeline/serve.ts";
import { convertApplication } from "../lease-application/application.contract.ts";
import { convert } from "./convert.service.ts";

export default [serve(convertApplication, (act, { params, body }) => convert(act, params.id, body))];
