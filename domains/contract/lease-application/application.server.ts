import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
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

export default [
  serveList(applications),
  serveRead(countApplications, (read, { query }) => countsOf(read, query)),
  exportList(exportApplications),
  serveRead(getApplication, (read, { params }) => applicationDetail(read, params.id)),
  serveRead(recommendRooms, (read, { params, query }) => roomsFor(read, params.id, query.insteadId)),
  serve(addApplication, (act, { body }) => registerApplication(act, body)),
  serve(editApplication, async (act, { params, body }) => {
    await changeApplication(act, params.id, body);
    return { id: params.id };
  }),
  serveDone(approveApplication, (act, { params, body }) => approve(act, params.id, body)),
  serveDone(rejectApplication, (act, { params, body }) => reject(act, params.id, body)),
  serveDone(cancelApplication, (act, { params, body }) => cancelOne(act, params.id, body)),
  serveDone(changeApplicationRoom, (act, { params, body }) => changeRoom(act, params.id, body)),
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
