import { notFound } from "../../../platform/kernel/refusal.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
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
import { askFor, assign, claim, follow, lose, release, reopen, workable } from "./acts.service.ts";
import { funnelOf } from "./funnel.service.ts";
import { eventsOf, leadInScope, ownerOf, seenLead } from "./lead.queries.ts";
import type { EVENT_KINDS } from "./lead.rules.ts";
import { countMatches } from "./lead.contract.ts";
import { matchCounts, matchesOf } from "./match.queries.ts";

export default [
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

  serve(followLead, async (act, { params, body }) => {
    await follow(act, workable(act, await seenLead(act, params.id)), body);
    return null;
  }),
  serve(loseLead, async (act, { params, body }) => {
    await lose(act, workable(act, await seenLead(act, params.id)), body);
    return null;
  }),
  serve(reopenLead, async (act, { params, body }) => {
    await reopen(act, workable(act, await seenLead(act, params.id)), body.version);
    return null;
  }),
  serve(releaseLead, async (act, { params, body }) => {
    await release(act, workable(act, await seenLead(act, params.id)), body.version);
    return null;
  }),
  // who comes too late hears so, and not that there was never such a lead
  serve(claimLead, async (act, { params }) => {
    await claim(act, await leadInScope(act, params.id));
    return null;
  }),
  serve(askForLead, async (act, { body }) => {
    await askFor(act, body.phone);
    return null;
  }),
  serve(assignLeads, async (act, { body }) => {
    const owner = await ownerOf(act, body.ownerId);
    const leads = [];
    for (const id of new Set(body.ids)) leads.push(await leadInScope(act, id));
    if (!leads.length) throw notFound();
    return { assigned: await assign(act, leads, owner) };
  }),
];
