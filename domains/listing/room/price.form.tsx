import { useQuery } from "@tanstack/react-query";
import { FormDialog } from "../../../platform/console/formdrawer.tsx";
import { useOperator } from "../../../platform/console/operator.ts";
import { may } from "../../../platform/console/permits.ts";
import { ask } from "../../../platform/console/request.ts";
import { roomPrices, setRoomPrice } from "./price.contract.ts";

/** A price from a day on, starting from the one that holds today. */
export function PriceForm({
  room,
  onClose,
}: {
  room: { id: number; fullName: string };
  onClose: () => void;
}) {
  const today = useOperator()?.today;
  const { data } = useQuery(ask(roomPrices, { params: { id: room.id } }));
  if (!data) return null;
  const now = data.find((p) => p.current) ?? data.at(-1);
  return (
    <FormDialog
      call={setRoomPrice}
      params={{ id: room.id }}
      initial={{
        ...(now && { listPrice: now.listPrice, lowestPrice: now.lowestPrice ?? null, unit: now.unit }),
        ...(today && { effectiveDay: today }),
      }}
      title={`改价 ${room.fullName}`}
      done="价格已修改"
      fields={[
        "listPrice",
        ...(may("#601") ? (["lowestPrice"] as const) : []),
        "unit",
        { key: "effectiveDay", help: "不早于今天；已签合同和已有预订不变" },
      ]}
      onClose={onClose}
    />
  );
}
