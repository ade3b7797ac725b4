import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { GONE, stateOf } from "./ticket.rules.ts";
import type { PurposeName } from "../file/purposes.rules.ts";

/** One answer for what never was, is used up, ran out or is somebody else's. */
export const gone = () => new Refusal("gone", GONE, 410);

const moment = (at: string) => new Date(at).getTime();

/** The ticket of a token. Who is signed in as somebody else than its owner finds none. */
export async function findTicket(read: Read, token: string, how: { lock?: boolean } = {}) {
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

/** What came through a ticket, in the order of its coming. */
export const arrivalsOf = (read: Read, ticketId: number) =>
  read.tx
    .selectFrom("uploadArrival as a")
    .innerJoin("storedFile as f", "f.id", "a.fileId")
    .select(["f.id", "f.name", "f.type", "f.size"])
    .where("a.ticketId", "=", ticketId)
    .orderBy("f.id")
    .execute();

/** The phone acts for whoever opened the ticket: the file is theirs until a record takes it. */
export const asOwner = (act: Act, owner: { id: number; enterpriseId: number; realName: string }): Act => ({
  ...act,
  who: { ...act.who, operatorId: owner.id, enterpriseId: owner.enterpriseId, name: owner.realName },
});
