import { timeInZone } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { noteParty } from "../../party/party/party.service.ts";
import { keepFile } from "../../system/file/file.service.ts";
import { printed } from "../../system/paper/print.service.ts";
import type { Mark } from "../../system/watermark/watermark.rules.ts";
import { sendNotices } from "../push/notice.service.ts";
import { NOBODY_GETS, statementMail } from "./mail.rules.ts";
import { statementBlocks } from "./paper.rules.ts";
import { type Period, billContacts, byAddress, statementOf } from "./statement.queries.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

type Statement = Awaited<ReturnType<typeof statementOf>>;

/** The operator's own legal entity, which a statement speaks for. */
export const issuerOf = async (read: Read, { firm }: Statement): Promise<string> =>
  (await theRow(read, "enterprise", ["name"], { id: firm.enterpriseId })).name;

/** A statement as PDF; with the reader's mark where they take it with them. */
export async function printStatement(
  read: Read,
  statement: Statement,
  { from, to }: Period,
  mark?: Mark,
): Promise<{ name: string; type: string; body: Buffer }> {
  const { firm, villages, rows, sums } = statement;
  const [names, issuer] = await Promise.all([
    read.tx.selectFrom("village").select("name").where("id", "=", anyOf(villages)).orderBy("name").execute(),
    issuerOf(read, statement),
  ]);
  const shown = names.map((v) => v.name);
  const paper = statementBlocks({
    company: firm.name,
    creditCode: firm.creditCode ?? "",
    issuer,
    from,
    to,
    villages:
      shown.length > 3 ? `${shown.slice(0, 3).join("、")}等 ${shown.length} 个门店` : shown.join("、"),
    rows,
    sums,
    printedAt: timeInZone(read.now, read.settings.TIME_ZONE).slice(0, 16),
  });
  return {
    name: `对账单_${firm.name}_${from}_${to}.pdf`,
    type: "application/pdf",
    body: await printed(paper, `对账单 ${firm.name}`, mark),
  };
}

/**
 * Sends a statement by e-mail to whoever gets the bills of a company. The same figures go to an address once a day,
 * however often somebody presses; figures that changed meanwhile go again.
 */
export async function sendStatement(
  act: Act,
  asked: number,
  period: Period,
): Promise<{ sent: number; already: number }> {
  const receivers = byAddress(await billContacts(act, asked));
  if (!receivers.length) throw new Refusal("nobody", NOBODY_GETS);
  const statement = await statementOf(act, asked, period);
  const { firm, villages, rows, sums } = statement;
  // who sends at the same time waits here, and then finds what has gone
  await act.tx.selectFrom("party").select("id").where("id", "=", firm.id).forUpdate().execute();
  const content = basisHash([period.from, period.to, [...villages].toSorted((a, b) => a - b), rows]);
  const keyOf = (address: string) => `statement.${firm.id}.${act.today}.${content}.${address}`;
  const gone = await act.tx
    .selectFrom("outbox")
    .select("onceKey")
    .where(
      "onceKey",
      "in",
      receivers.map(([address]) => keyOf(address)),
    )
    .execute();
  const before = new Set(gone.map((row) => row.onceKey));
  const left = receivers.filter(([address]) => !before.has(keyOf(address)));
  const already = receivers.length - left.length;
  if (!left.length) return { sent: 0, already };
  const paper = await printStatement(act, statement, period);
  const file = await keepFile(
    act,
    { name: paper.name, type: paper.type, bytes: paper.body },
    { targetKind: "statement", targetId: firm.id, villageId: firm.homeVillageId, needs: "113.get" },
  );
  const said = { ...period, company: firm.name, issuer: await issuerOf(act, statement), sums };
  await sendNotices(
    act,
    left.map(([address, contact]) => ({
      notice: "对账单",
      channel: "email" as const,
      recipient: contact.email,
      ...statementMail({ ...said, contact: contact.name }),
      source: "statement" as const,
      sourceId: firm.id,
      partyId: firm.id,
      villageId: firm.homeVillageId,
      enterpriseId: firm.enterpriseId,
      fileId: file.id,
      once: keyOf(address),
    })),
  );
  await noteParty(
    act,
    { id: firm.id, kind: "company", homeVillageId: firm.homeVillageId },
    {
      action: "对账",
      summary: `${period.from} 至 ${period.to} 对账单邮件发送给${left.map(([, c]) => c.name).join("、")}`,
    },
  );
  return { sent: left.length, already };
}
