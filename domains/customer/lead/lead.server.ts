import { dayInZone } from "../../../platform/kernel/day.ts";
import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { removeAt } from "../../../platform/server/database/versioned.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { PAGE_CODE } from "../../party/party/party.service.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { filesOf } from "../../system/file/file.service.ts";
import {
  askForLead,
  assignLeads,
  claimLead,
  followLead,
  leadEvents,
  leadFunnel,
  leadMatches,
  loseLead,
  releaseLead,
  reopenLead,
} from "./acts.contract.ts";
import {
  askFor,
  assign,
  claim,
  follow,
  lose,
  refuseReserved,
  release,
  reopen,
  workable,
} from "./acts.service.ts";
import { renterByPhone } from "./customer.service.ts";
import { funnelOf } from "./funnel.service.ts";
import {
  addLead,
  checkLead,
  countLeads,
  countMatches,
  deleteLead,
  editLead,
  exportLeads,
  getLead,
  leadWords,
  shareRoom,
} from "./lead.contract.ts";
import {
  channelsOf,
  eventsOf,
  leadDetail,
  leadInScope,
  matchCounts,
  matchesOf,
  ownerOf,
  seenLead,
  shareOf,
} from "./lead.queries.ts";
import { ownersOf } from "../record/owners.queries.ts";
import type { EVENT_KINDS } from "./lead.rules.ts";
import { leads } from "./lead-list.queries.ts";
import { createLead, liveLead, noteLead, updateLead } from "./lead.service.ts";

export default [
  serveList(leads),
  serveRead(countLeads, (read, { query }) => leads.countsBy(read, query, "l.state")),
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
  serveRead(leadEvents, async (read, { params }) => {
    const events = await eventsOf(read, params.id);
    const files = await filesOf(
      read,
      "leadEvent",
      events.map((event) => event.id),
    );
    return events.map(({ realName, ...event }) => ({
      ...event,
      files: files.get(event.id) ?? [],
      kind: event.kind as keyof typeof EVENT_KINDS,
      operatorName: realName ?? "系统",
    }));
  }),
  serveRead(leadMatches, async (read, { params }) => {
    await seenLead(read, params.id);
    return matchesOf(read, params.id);
  }),
  serveRead(countMatches, (read, { query }) => matchCounts(read, query.ids ?? [])),
  serveRead(leadFunnel, (read, { query }) => funnelOf(read, query)),

  serveDone(followLead, async (act, { params, body }) =>
    follow(act, workable(act, await seenLead(act, params.id)), body),
  ),
  serveDone(loseLead, async (act, { params, body }) =>
    lose(act, workable(act, await seenLead(act, params.id)), body),
  ),
  serveDone(reopenLead, async (act, { params, body }) =>
    reopen(act, workable(act, await seenLead(act, params.id)), body.version),
  ),
  serveDone(releaseLead, async (act, { params, body }) =>
    release(act, workable(act, await seenLead(act, params.id)), body.version),
  ),
  // who comes too late hears so, and not that there was never such a lead
  serveDone(claimLead, async (act, { params }) => claim(act, await leadInScope(act, params.id))),
  serveDone(askForLead, (act, { body }) => askFor(act, body.phone)),
  serve(assignLeads, async (act, { body }) => {
    const owner = await ownerOf(act, body.ownerId);
    const leads = [];
    for (const id of new Set(body.ids)) leads.push(await leadInScope(act, id));
    if (!leads.length) throw notFound();
    return { assigned: await assign(act, leads, owner) };
  }),
];
