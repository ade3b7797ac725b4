import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { useSmsCode } from "../../access/sms/sms.service.ts";
import {
  addApplication,
  applyCode,
  applyPublicly,
  approveApplication,
  assignApplications,
  cancelApplication,
  changeApplicationRoom,
  countApplications,
  editApplication,
  exportApplications,
  getApplication,
  holdApplication,
  publicStore,
  recommendRooms,
  rejectApplication,
  rejectApplications,
} from "./application.contract.ts";
import { applicationDetail, applications, countsOf, roomsFor } from "./application.queries.ts";
import { changeApplication, registerApplication } from "./application.service.ts";
import { approve, assignMany, cancelOne, changeRoom, hold, reject, rejectMany } from "./review.service.ts";
import { applyAsStranger, CODE_TYPE, sendApplyCode, storeFor } from "./public.service.ts";

/** An act that answers nothing. */
const acting =
  <B>(work: (act: Act, id: number, body: B) => Promise<void>) =>
  async (act: Act, { params, body }: { params: { id: number }; body: B }) => {
    await work(act, params.id, body);
    return null;
  };

export default [
  serveList(applications),
  serveRead(countApplications, (read, { query }) => countsOf(read, query)),
  exportList(exportApplications),
  serveRead(getApplication, (read, { params }) => applicationDetail(read, params.id)),
  serveRead(recommendRooms, (read, { params }) => roomsFor(read, params.id)),
  serve(addApplication, (act, { body }) => registerApplication(act, body)),
  serve(editApplication, async (act, { params, body }) => {
    await changeApplication(act, params.id, body);
    return { id: params.id };
  }),
  serve(approveApplication, acting(approve)),
  serve(rejectApplication, acting(reject)),
  serve(cancelApplication, acting(cancelOne)),
  serve(changeApplicationRoom, acting(changeRoom)),
  serve(holdApplication, (act, { params, body }) => hold(act, params.id, body)),
  serve(assignApplications, (act, { body }) => assignMany(act, body)),
  serve(rejectApplications, (act, { body }) => rejectMany(act, body)),
  serveRead(publicStore, (read, { params }) => storeFor(read, params.village)),
  serve(applyCode, async (act, { body }) => {
    await sendApplyCode(act, body);
    return null;
  }),
  serve(applyPublicly, async (act, { params, body: { code, ...applied } }) => {
    // first of all, so that a wrong one is counted
    await useSmsCode(act, applied.phone, CODE_TYPE, code);
    return applyAsStranger(act, params.village, applied);
  }),
];
