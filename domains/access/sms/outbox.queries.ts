import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { amongWords, fromDay, toDay } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { smsDriver } from "../../../platform/server/outside/sms.ts";
import { listOutbox } from "./sms.contract.ts";
import { TEXTS, textOf, type OUTBOX_WORDS } from "./sms.rules.ts";

type Row = {
  id: number;
  recipient: string;
  template: string;
  params: Record<string, string>;
  state: keyof typeof OUTBOX_WORDS;
  attempts: number;
  carrier: string;
  error: string;
  createdAt: string;
  sentAt: string | null;
};

export const outbox = listOf(listOutbox, {
  id: "m.id",
  from: sql`outbox m`,
  where: {
    state: amongWords("m.state"),
    // a number, or the end of it
    keyword: (text) => sql`m.recipient like ${`%${text.replace(/\D/g, "") || "?"}`}`,
    from: fromDay("m.created_at"),
    to: toDay("m.created_at"),
  },
  sort: { createdAt: "m.created_at" },
  order: "createdAt",
  columns: sql<Row>`m.id, m.recipient, m.template, m.params, m.state, m.attempts, m.carrier, m.error,
    m.created_at "createdAt", m.sent_at "sentAt"`,
  join: sql`join outbox m on m.id = page.id`,
  rows: (rows, { settings }) => {
    const { keeps } = smsDriver(settings);
    return rows.map(({ recipient, params, ...row }) => ({
      ...row,
      phone: maskPhone(recipient),
      template: TEXTS[row.template as "code"] ?? row.template,
      text: textOf(row.template, params, keeps),
    }));
  },
});
