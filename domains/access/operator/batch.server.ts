import { serve } from "../../../platform/server/pipeline/serve.ts";
import { changeBatch, previewBatch } from "./batch.contract.ts";
import { batch } from "./batch.service.ts";

export default [
  serve(previewBatch, (act, { body }) => batch(act, body, false)),
  serve(changeBatch, (act, { body }) => batch(act, body, true)),
];
