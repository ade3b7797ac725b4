import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect } from "react";
import type { Call, Reply, Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { previewFollow, previewRoomPrice, type PriceOutlook } from "./room-price.contract.ts";
import { PRICE_UNITS, wordOf } from "../room/words.rules.ts";

type Body = Sent<typeof previewRoomPrice>["body"];
type Told = { onWaits: (waits: boolean) => void };

/** What a form would do, asked anew while it is typed; says whether it would wait for approval. */
export function useOutlook<C extends Call>(
  call: C,
  sent: Sent<C>,
  right: boolean,
  waiting: (reply: Reply<C>) => boolean,
  onWaits: (waits: boolean) => void,
) {
  const wanted = useDeferredValue(JSON.stringify(sent));
  const { data, error } = useQuery({
    queryKey: [call.path, wanted],
    queryFn: ({ signal }) => sendWire<Reply<C>>(call, JSON.parse(wanted) as object, { signal }),
    enabled: right,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const waits = data !== undefined && waiting(data);
  useEffect(() => onWaits(waits), [waits, onWaits]);
  return { data, error };
}

/** "需要审批：店长 → 区域经理". */
export const waitsText = (waits: readonly string[]): string =>
  waits.length ? `需要审批：${waits.join(" → ")}，通过后生效` : "";

const asked = ({ waits }: PriceOutlook) => waits.length > 0;

function Said({ look, error }: { look: PriceOutlook | undefined; error: unknown }) {
  if (error) return <span className="bad">{sentence(error)}</span>;
  if (!look) return null;
  const price = (fen: number | null) => (fen === null ? "未定价" : yuan(fen));
  return (
    <span role="status">
      {price(look.oldList)} → <b>{price(look.newList)}</b> {wordOf(PRICE_UNITS, look.unit)}
      {look.warnings.length > 0 && `；${look.warnings.join("，")}`}
      {look.waits.length > 0 && `；${waitsText(look.waits)}`}
    </span>
  );
}

export function RoomPriceOutlook({ id, values, onWaits }: Told & { id: number; values: Partial<Body> }) {
  const { listPrice, lowestPrice, unit, effectiveDay } = values;
  const body = { listPrice, lowestPrice, unit, effectiveDay } as Body;
  const right = previewRoomPrice.body.safeParse(body).success;
  const { data, error } = useOutlook(previewRoomPrice, { params: { id }, body }, right, asked, onWaits);
  return <Said look={right ? data : undefined} error={right ? error : null} />;
}

export function FollowOutlook({ id, onWaits }: Told & { id: number }) {
  const { data, error } = useOutlook(previewFollow, { params: { id } }, true, asked, onWaits);
  return <Said look={data} error={error} />;
}
