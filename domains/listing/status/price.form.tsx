import { may } from "../../../platform/console/permits.ts";
import { FormDialog } from "../../../platform/console/formdrawer.tsx";
import { setRoomPrice } from "../room/price.contract.ts";
import type { PriceUnit } from "../room/words.rules.ts";
import type { RoomDetail } from "./detail.contract.ts";

/** 改价 of one room, from a day on. Signed contracts keep theirs. */
export const PriceForm = ({ room, onClose }: { room: RoomDetail; onClose: () => void }) => (
  <FormDialog
    call={setRoomPrice}
    title={`改价 ${room.name}`}
    done="价格已修改"
    params={{ id: room.id }}
    initial={{
      ...(room.listPriceFen !== null && { listPrice: room.listPriceFen }),
      ...(room.lowestPriceFen !== null && { lowestPrice: room.lowestPriceFen }),
      unit: (room.priceUnit ?? "month") as PriceUnit,
      effectiveDay: room.day,
    }}
    fields={["listPrice", ...(may("#601") ? (["lowestPrice"] as const) : []), "unit", "effectiveDay"]}
    onClose={onClose}
  />
);
