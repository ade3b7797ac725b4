import type { FirmKind } from "../../customer/firm/words.rules.ts";
import { createFirms } from "../../customer/import/firms.service.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { OPENINGS } from "../import/import.contract.ts";
import { openingOf } from "../import/import.service.ts";
import type { OpeningKind } from "../import/kind.service.ts";
import { MOST_ROOMS, permitOf, TOO_MANY_ROOMS } from "../terms/kind.rules.ts";
import { firmRoomErrors, isAttached } from "../terms/product.rules.ts";
import { FIRM_RULES, FIRM_SAMPLES, FIRM_SHEETS } from "./columns.rules.ts";
import { firmReading } from "./firm.rules.ts";
import { meetFirms } from "./firms.service.ts";

/** Which rooms a firm's contract may let, by the rules of signing; each is named in its own row, too many in the first. */
function refusing(kind: FirmKind): OpeningKind["refuseRooms"] {
  const against = (rooms: Parameters<typeof firmRoomErrors>[1]) => {
    const said: string[] = [];
    firmRoomErrors(kind, rooms, (_field, msg) => said.push(msg));
    return said[0];
  };
  return (rooms, say) => {
    let fine = true;
    rooms.forEach((room, at) => {
      // parking and store rooms go with the room of the first row
      if (at > 0 && isAttached(room.kind)) return;
      const msg = against(isAttached(room.kind) ? [] : [room]);
      if (msg) say(at, msg);
      fine &&= !msg;
    });
    const whole =
      rooms.length > MOST_ROOMS ? TOO_MANY_ROOMS : against(rooms.filter((room) => !isAttached(room.kind)));
    if (fine && rooms.length && whole) say(0, whole);
  };
}

const kindOf = (kind: FirmKind, words?: OpeningKind["words"]): OpeningKind => ({
  kind,
  needs: permitOf(kind, "import"),
  things: OPENINGS[kind].things,
  work: `${kind}Opening`,
  columns: FIRM_SHEETS[kind],
  rules: FIRM_RULES[kind],
  samples: FIRM_SAMPLES[kind],
  ...(words && { words }),
  reading: firmReading(kind),
  several: true,
  refuseRooms: refusing(kind),
  meet: (read, rows) => meetFirms(read, kind, rows),
  register: (act, fresh) =>
    createFirms(
      act,
      fresh.flatMap(({ person }) => ("key" in person && person.firm) || []),
    ),
});

/** Running contracts of companies over their rooms. */
export const COMPANY_OPENING = openingOf(kindOf("company"));
/** Shop leases at a fixed rent. */
export const MERCHANT_OPENING = openingOf(
  kindOf("merchant", async (read) => ({
    业态: (await offered(read, "customer", "business")).map((word) => word.name),
  })),
);
