import { invalid } from "../../../platform/kernel/refusal.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { hashOf, newToken } from "../../../platform/server/pipeline/session.ts";
import { storeFile } from "../file/file.service.ts";
import { endTicket, openTicket, readTicket, sendToTicket } from "./ticket.contract.ts";
import { TICKET_MINUTES } from "./ticket.rules.ts";
import { arrivalsOf, asOwner, findTicket, gone } from "./ticket.service.ts";

export default [
  serve(openTicket, async ({ tx, who, now }, { body }) => {
    const token = newToken();
    const secondsLeft = TICKET_MINUTES * 60;
    await tx
      .insertInto("uploadTicket")
      .values({
        ...body,
        tokenHash: hashOf(token),
        operatorId: who.operatorId,
        sessionId: who.sessionId,
        createdAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + secondsLeft * 1000).toISOString(),
      })
      .execute();
    return { token, secondsLeft };
  }),

  serveRead(readTicket, async (read, { params }) => {
    const ticket = await findTicket(read, params.token);
    if (ticket.state !== "open" && !read.who.operatorId) throw gone();
    return { ...ticket, files: await arrivalsOf(read, ticket.id) };
  }),

  serve(sendToTicket, async (act, { params, files: [upload] }) => {
    if (!upload) throw invalid({ field: "file", msg: "请上传文件" });
    // two files at once: the second counts the first
    const ticket = await findTicket(act, params.token, { lock: true });
    act.concerns(ticket.owner);
    if (ticket.state !== "open") throw gone();
    if ((await arrivalsOf(act, ticket.id)).length >= ticket.maxFiles) throw gone();
    const file = await storeFile(asOwner(act, ticket.owner), upload, { purpose: ticket.purpose });
    await act.tx
      .insertInto("uploadArrival")
      .values({ fileId: file.id, ticketId: ticket.id, arrivedAt: act.now.toISOString() })
      .execute();
    return file;
  }),

  serve(endTicket, async (act, { params }) => {
    const ticket = await findTicket(act, params.token, { lock: true });
    act.concerns(ticket.owner);
    if (ticket.state === "open")
      await act.tx
        .updateTable("uploadTicket")
        .set({ endedAt: act.now.toISOString() })
        .where("id", "=", ticket.id)
        .execute();
    else if (!act.who.operatorId) throw gone();
    return { files: await arrivalsOf(act, ticket.id) };
  }),
];
