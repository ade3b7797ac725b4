import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { cancel, removeDraft, retry, stop, submit, test } from "./acts.service.ts";
import {
  addPush,
  cancelPush,
  editPush,
  removePush,
  retryPush,
  stopPush,
  submitPush,
  testPush,
} from "./push-acts.contract.ts";
import { type PushState } from "./push.rules.ts";
import { createTask, editTask } from "./push.service.ts";
import { ownTask, type Task } from "./task.service.ts";

const moved =
  (move: (act: Act, task: Task) => Promise<PushState>) =>
  async (act: Act, { params, body }: { params: { id: number }; body: { version: number } }) => ({
    state: await move(act, await ownTask(act, params.id, body.version)),
  });

export default [
  serve(addPush, (act, { body }) => createTask(act, body)),
  serve(editPush, async (act, { params, body }) => {
    await editTask(act, params.id, body);
    return null;
  }),
  serve(removePush, async (act, { params, query }) => {
    await removeDraft(act, await ownTask(act, params.id, query.version));
    return null;
  }),
  serve(submitPush, moved(submit)),
  serve(cancelPush, moved(cancel)),
  serve(stopPush, moved(stop)),
  serve(retryPush, moved(retry)),
  serve(testPush, async (act, { body }) => ({ phone: maskPhone(await test(act, body)) })),
];
