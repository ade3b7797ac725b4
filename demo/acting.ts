import { whoActs } from "../domains/access/operator/who.service.ts";
import type { Act } from "../platform/server/act.ts";
import type { Cipher } from "../platform/server/cipher.ts";
import type { Database } from "../platform/server/database.ts";
import { numbersFrom } from "../platform/server/numbers.ts";
import { actOf, type House } from "../platform/server/pipeline.ts";
import { readSettings } from "../platform/server/settings.ts";

type Place = Pick<Database, "pool" | "db"> & { cipher?: Cipher };

/** What somebody of the company does at a moment, by the product's own services, in one transaction. */
export async function acting<R>(
  { pool, db, cipher }: Place,
  operatorId: number,
  now: Date,
  work: (act: Act) => Promise<R>,
): Promise<R> {
  const who = await whoActs(db, operatorId);
  const house = {
    numbers: numbersFrom(pool),
    // whoever listens hears of what people do from now on
    emit: async () => undefined,
    clock: () => now,
    database: { pool, db, replicaDb: db },
    settings: readSettings({}),
    cipher,
  } as unknown as House;
  return db
    .transaction()
    .execute((tx) => work(actOf(house, tx, who, { requestId: "demo", ip: "", userAgent: "demo" })));
}
