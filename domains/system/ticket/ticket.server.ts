import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { hashOf, newToken } from "../../../platform/server/pipeline/session.ts";
import { storeFile } from "../file/file.service.ts";
import { endTicket, openTicket, readTicket, sendToTicket } from "./ticket.contract.ts";
import { TICKET_MINUTES, GONE, stateOf } from "./ticket.rules.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { PurposeName } from "../file/purposes.rules.ts";

/** One answer for what never was, is used up, ran out or is somebody else's. */
const gone = () => new Refusal("gone", GONE, 410);

const moment = (at: string) => new Date(at).getTime();

/** The ticket of a token. Who is signed in as somebody else than its owner finds none. */
async function findTicket(read: Read, token: string, how: { lock?: boolean } = {}) {
  const found = read.tx
    .selectFrom("uploadTicket as t")
    .innerJoin("loginSession as s", "s.id", "t.sessionId")
    .innerJoin("operator as o", "o.id", "t.operatorId")
    .select(["t.id", "t.operatorId", "t.purpose", "t.title", "t.maxFiles", "t.expiresAt", "t.endedAt"])
    .select(["s.endedAt as sessionEndedAt", "s.expiresAt as sessionExpiresAt"])
    .select(["o.enterpriseId", "o.realName", "o.state as operatorState"])
    .where("t.tokenHash", "=", hashOf(token));
  const row = await (how.lock ? found.forUpdate("t") : found).executeTakeFirst();
  if (!row || (read.who.operatorId && read.who.operatorId !== row.operatorId)) throw gone();
  const now = read.now.getTime();
  const expiresAt = moment(row.expiresAt);
  const alive =
    row.operatorState === "active" && row.sessionEndedAt === null && now < moment(row.sessionExpiresAt);
  return {
    id: row.id,
    purpose: row.purpose as PurposeName,
    title: row.title,
    maxFiles: row.maxFiles,
    owner: { id: row.operatorId, enterpriseId: row.enterpriseId, realName: row.realName },
    state: stateOf({ endedAt: row.endedAt === null ? null : moment(row.endedAt), expiresAt, alive }, now),
    secondsLeft: Math.max(0, Math.floor((expiresAt - now) / 1000)),
  };
}

const arrivalsOf = (read: Read, ticketId: number) =>
  read.tx
    .selectFrom("uploadArrival as a")
    .innerJoin("storedFile as f", "f.id", "a.fileId")
    .select(["f.id", "f.name", "f.type", "f.size"])
    .where("a.ticketId", "=", ticketId)
    .orderBy("f.id")
    .execute();

/** The phone acts for whoever opened the ticket: the file is theirs until a record takes it. */
const asOwner = (act: Act, owner: { id: number; enterpriseId: number; realName: string }): Act => ({
  ...act,
  who: { ...act.who, operatorId: owner.id, enterpriseId: owner.enterpriseId, name: owner.realName },
});

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
