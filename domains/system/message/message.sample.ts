import { nobody } from "../../../platform/server/act.ts";
import type { TestHouse } from "../../../platform/server/house.sample.ts";
import { actOf } from "../../../platform/server/pipeline.ts";
import { tell, type Told } from "./message.service.ts";

/** Tells operators of a house something, in a transaction of its own. */
export const toldOf =
  (house: TestHouse) =>
  (told: Told): Promise<void> =>
    house.database.db
      .transaction()
      .execute((tx) => tell(actOf(house, tx, nobody, { requestId: "told", ip: "", userAgent: "" }), told));
