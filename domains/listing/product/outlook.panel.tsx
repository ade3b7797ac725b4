import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { useOutlook, waitsText } from "../pricing/outlook.panel.tsx";
import { previewProductPrice } from "./price.contract.ts";

type Body = Sent<typeof previewProductPrice>["body"];
const asked = ({ waits }: Reply<typeof previewProductPrice>) => waits.length > 0;

/** What a product's new price does to the rooms that follow it. */
export function ProductOutlook({
  id,
  values,
  onWaits,
}: {
  id: number;
  values: Partial<Body>;
  onWaits: (waits: boolean) => void;
}) {
  const { listPrice, lowestPrice, effectiveDay, villagePrices } = values;
  const body = { listPrice, lowestPrice, effectiveDay, villagePrices } as Body;
  const right = previewProductPrice.body.safeParse(body).success;
  const { data, error } = useOutlook(previewProductPrice, { params: { id }, body }, right, asked, onWaits);
  if (!right) return null;
  if (error) return <span className="bad">{sentence(error)}</span>;
  if (!data) return null;
  const average = (fen: number | null) => (fen === null ? "—" : yuan(fen));
  return (
    <span role="status">
      {data.rooms} 间跟随房间
      {data.moved > 0 && (
        <>
          ，{data.moved} 间变价，均价 {average(data.oldAverage)} → <b>{average(data.newAverage)}</b>，月影响{" "}
          {yuan(data.effect)}
        </>
      )}
      {data.byJob && "；房间较多，在后台执行"}
      {data.waits.length > 0 && `；${waitsText(data.waits)}`}
    </span>
  );
}
