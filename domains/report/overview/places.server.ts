import { minDay } from "../../../platform/kernel/day.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { ofThem, wanted } from "../indicator/indicator.rules.ts";
import { CODES } from "./overview.rules.ts";
import { overviewPlaces } from "./places.contract.ts";
import { placesOf } from "./places.queries.ts";

export default [
  /** A map of occupancy rates: nothing for whom the rate is nothing. */
  serveRead(overviewPlaces, async (read, { query }) => {
    const { shown } = await ruling(read);
    wanted(shown, CODES, ["occupancyRate"]);
    return placesOf(read, villagesOf(read.who, query.villageIds), query, {
      asOf: minDay(query.asOf ?? read.today, read.today),
      withRent: ofThem(shown, CODES).includes("avgRent"),
    });
  }),
];
