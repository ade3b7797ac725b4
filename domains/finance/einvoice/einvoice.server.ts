import { forbidden } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { mayPass } from "../../../platform/server/outside/transient.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { confDetail, confs, confSeen, itemsShown } from "./conf.queries.ts";
import {
  changeConf,
  changeItem,
  copyTo,
  createConf,
  replaceConfKeys,
  switchConf,
  takeBackItem,
  targetsOf,
  tested,
} from "./conf.service.ts";
import { driverOf } from "./driver.service.ts";
import {
  addConf,
  copyConf,
  copyTargets,
  disableConf,
  editConf,
  enableConf,
  exportConfs,
  getConf,
  listItems,
  removeItem,
  setConfKeys,
  setItem,
  testConf,
  trialConf,
} from "./einvoice.contract.ts";
import { trialOf } from "./sample.service.ts";

/** The driver as a call uses it: inside of its transaction, and for what changes nothing there. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (mayPass(error)) throw new Refusal("unavailable", "开票服务商暂时没有响应，请稍后重试", 503);
    throw error;
  }
}
const placeOf = (act: Act) => ({ db: act.tx, cipher: act.cipher, now: act.now, settings: act.settings });

export default [
  serveList(confs),
  exportList(exportConfs),
  serveRead(copyTargets, (read) => targetsOf(read)),
  serveRead(getConf, (read, { params }) => confDetail(read, params.id)),
  serve(addConf, async (act, { body }) => ({ id: await createConf(act, body) })),
  serve(editConf, async (act, { params, body: { version, password, ...body } }) => {
    await changeConf(act, params.id, body, { version, password });
    return { id: params.id };
  }),
  serve(enableConf, async (act, { params, body }) => {
    await switchConf(act, params.id, body.version, true);
    return { id: params.id };
  }),
  serve(disableConf, async (act, { params, body }) => {
    await switchConf(act, params.id, body.version, false);
    return { id: params.id };
  }),
  serve(setConfKeys, async (act, { params, body }) => {
    await replaceConfKeys(act, params.id, body);
    return { id: params.id };
  }),
  serve(testConf, async (act, { params }) => {
    const conf = await confSeen(act, params.id, true);
    const told = await asked(async () => (await driverOf(placeOf(act), conf)).test());
    await tested(act, conf, told);
    return told;
  }),
  serveRead(trialConf, async (read, { params, query }) => {
    const conf = await confSeen(read, params.id);
    if (conf.driver !== "simulator") throw forbidden();
    const body = await trialOf(conf, query, read.now);
    return { name: "试开.pdf", type: "application/pdf", body, inline: true };
  }),
  serve(copyConf, async (act, { params, body }) => ({ id: await copyTo(act, params.id, body) })),
  serveRead(listItems, (read, { params }) => itemsShown(read, params.id)),
  serveDone(setItem, (act, { params, body }) => changeItem(act, params.id, body)),
  serveDone(removeItem, (act, { params, query }) => takeBackItem(act, params.id, query)),
];
