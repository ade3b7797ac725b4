import { nobody } from "../../../platform/server/pipeline/act.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { tell, type Told } from "./message.service.ts";

/** Tells operators of a house something, in a transaction of its own. */
export const toldOf =
  (house: TestHouse) =>
  (told: Told): Promise<void> =>
    house.database.db
      .transaction()
      .execute((tx) => tell(actOf(house, tx, nobody, { requestId: "told", ip: "", userAgent: "" }), told));
