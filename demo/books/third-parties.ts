import { addToMonth, type Day, lastOf, monthOf } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { accountsOf } from "../../domains/finance/account/account.service.ts";
import { confirmSheet, lockSheet, makeSheet } from "../../domains/finance/third-party/income.service.ts";
import { makePartner } from "../../domains/finance/third-party/partner.service.ts";
import { settleSheet } from "../../domains/finance/third-party/settle.service.ts";
import type { Terms } from "../../domains/finance/third-party/share.rules.ts";
import type { PartnerKind } from "../../domains/finance/third-party/third-party.rules.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };

const PARTNERS: readonly { name: string; kind: PartnerKind; taxRate: string; terms: Terms; gross: number }[] =
  [
    {
      name: "顺达停车",
      kind: "parking",
      taxRate: "9",
      terms: { shareMode: "percent", percent: "60" },
      gross: 486_000,
    },
    {
      name: "友宝自动售货",
      kind: "vending",
      taxRate: "6",
      terms: {
        shareMode: "tiered",
        bands: [
          { upTo: 300_000, percent: "8" },
          { upTo: null, percent: "12" },
        ],
      },
      gross: 352_600,
    },
    {
      name: "分众电梯广告",
      kind: "advertising",
      taxRate: "6",
      terms: { shareMode: "minPlusPercent", percent: "40", amount: 120_000 },
      gross: 260_000,
    },
  ];

/** Partners of the stores that somebody looks after, with the takings of the last months: settled, owed, and still drafts. */
export async function makeThirdParties(store: Store, operatorId: number, today: Day): Promise<void> {
  const month = monthOf(today);
  const at = (of: string, clock: string) => new Date(`${of}T${clock}:00+08:00`);
  const made = await acting(store, operatorId, at(lastOf(addToMonth(month, -4)), "10:00"), async (act) => {
    const villageIds = act.who.villages.slice(0, 2);
    const startDate = `${addToMonth(month, -12)}-01`;
    const partners = [];
    for (const { name, kind, taxRate, terms, gross } of PARTNERS) {
      const typed = { name, kind, villageIds, startDate, contact: "", fileIds: [], taxRate };
      partners.push({
        id: await makePartner(act, { ...typed, ...terms, bands: [...(terms.bands ?? [])] }),
        gross,
      });
    }
    return { villageIds, partners };
  });
  for (const ago of [3, 2, 1])
    await acting(store, operatorId, at(lastOf(addToMonth(month, -ago)), "17:30"), async (act) => {
      for (const [i, villageId] of made.villageIds.entries())
        for (const [j, partner] of made.partners.entries()) {
          const { id } = await makeSheet(act, {
            villageId,
            month: addToMonth(month, -ago),
            thirdPartyId: partner.id,
            gross: partner.gross + (i * 7 + j * 3 + ago) * 4_150,
            overrideReason: "",
          });
          // what the last month brought is not looked at yet
          if (ago === 1 && j > 0) continue;
          await confirmSheet(act, id);
          if (ago === 3 || (ago === 2 && j === 0)) await settle(act, id, ago === 3 ? 1 : 0.5);
        }
    });
}

async function settle(act: Parameters<typeof lockSheet>[0], id: number, part: number): Promise<void> {
  const sheet = await lockSheet(act, id);
  const account = (await accountsOf(act, sheet.villageId)).find((a) => a.kind === "wechat");
  if (!account) return;
  await settleSheet(act, id, {
    version: sheet.version,
    by: "receipt",
    amount: Math.round(sheet.share * part),
    channel: "wechat",
    merchantAccountId: account.id,
    payerName: "",
    channelTradeNo: "",
    remark: "",
    fileIds: [],
  });
}
