import { maskName } from "../../../platform/kernel/mask.ts";
import { removeAt } from "../../../platform/server/database/versioned.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { PAGE_CODE } from "../../party/party/party.service.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { refuseReserved, workable } from "./acts.service.ts";
import { channelsOf, countsOf, leadDetail, leadList, ownersOf, seenLead, shareOf } from "./lead.queries.ts";
import {
  addLead,
  addLeadWithRoom,
  checkLead,
  countLeads,
  deleteLead,
  editLead,
  exportLeads,
  getLead,
  leadWords,
  listLeads,
  shareRoom,
} from "./lead.contract.ts";
import { renterByPhone } from "./customer.service.ts";
import { createLead, liveLead, noteLead, updateLead } from "./lead.service.ts";
import { createWithRoom } from "./with-room.service.ts";

export default [
  serveRead(listLeads, (read, { query }) => leadList(read, query)),
  serveRead(countLeads, (read, { query }) => countsOf(read, query)),
  exportList(exportLeads),

  serveRead(leadWords, async (read) => {
    const [sources, reasons, owners, channels] = await Promise.all([
      offered(read, "customer", "source"),
      offered(read, "customer", "lostReason"),
      ownersOf(read),
      channelsOf(read),
    ]);
    return { sources, channels, lostReasons: reasons.map((r) => r.name), owners };
  }),
  serveRead(checkLead, async (read, { query: { phone } }) => {
    const live = await liveLead(read, read.who.enterpriseId, phone);
    return {
      live: live ? { number: live.number, ownerName: live.ownerName } : null,
      renter: (await renterByPhone(read, read.who.enterpriseId, phone)) ?? null,
    };
  }),

  serveRead(getLead, async (read, { params }) => {
    const lead = await leadDetail(read, params.id);
    const known = lead.partyKind && read.who.permits.has(`${PAGE_CODE[lead.partyKind]}.get`);
    return { ...lead, partyName: lead.partyName && (known ? lead.partyName : maskName(lead.partyName)) };
  }),
  serveRead(shareRoom, (read, { params, query }) => shareOf(read, params.id, query.roomId)),
  serve(addLead, (act, { body }) => createLead(act, body)),
  serve(addLeadWithRoom, (act, { body }) => createWithRoom(act, body)),
  serve(editLead, async (act, { params, body }) => {
    const lead = workable(act, await seenLead(act, params.id));
    await updateLead(act, lead, body);
    return null;
  }),
  serve(deleteLead, async (act, { params, query }) => {
    const lead = await seenLead(act, params.id);
    const today = dayInZone(new Date(lead.createdAt), act.settings.TIME_ZONE) === act.today;
    if (lead.state !== "new" || lead.ownerId !== act.who.operatorId || !today)
      throw new Refusal("notAllowed", "只能删除本人当天登记且未跟进的客源，可改为流失", 409);
    await refuseReserved(act, lead.id);
    await removeAt(act, "lead", { id: lead.id, version: query.version });
    await noteLead(act, lead, { action: "删除", summary: `删除客源${lead.name}` });
    return null;
  }),
];
