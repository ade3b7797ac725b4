import { whoActs } from "../domains/access/operator/scope.service.ts";
import type { Act } from "../platform/server/pipeline/act.ts";
import type { Cipher } from "../platform/server/secrets/cipher.ts";
import type { Database } from "../platform/server/database/database.ts";
import { numbersFrom } from "../platform/server/database/numbers.ts";
import { actOf, type House } from "../platform/server/pipeline/pipeline.ts";
import { readSettings } from "../platform/server/process/settings.ts";

/** `now`: nothing is done after it. */
type Place = Pick<Database, "pool" | "db"> & { cipher?: Cipher; now?: Date };

/** The product at a moment of the demo's past. Whoever listens hears of what people do from now on. */
export const houseAt = ({ pool, db, cipher, now }: Place, then: Date): House =>
  ({
    numbers: numbersFrom(pool),
    emit: async () => undefined,
    clock: () => (now && then > now ? now : then),
    database: { pool, db, replicaDb: db },
    settings: readSettings({ MODE: "demo" }),
    cipher,
  }) as unknown as House;

/** What somebody of the company does at a moment, by the product's own services, in one transaction. */
export async function acting<R>(
  place: Place,
  operatorId: number,
  now: Date,
  work: (act: Act) => Promise<R>,
): Promise<R> {
  const who = await whoActs(place.db, operatorId);
  return place.db
    .transaction()
    .execute((tx) =>
      work(actOf(houseAt(place, now), tx, who, { requestId: "demo", ip: "", userAgent: "demo" })),
    );
}
