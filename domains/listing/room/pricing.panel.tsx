import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { CHANGE_STATES } from "../price-change/words.rules.ts";
import { roomPricing } from "./price.contract.ts";
import { FollowForm } from "./price.form.tsx";

const CHANGES = "/configuration/BatchAdjustPrice";
const PRODUCTS = "/configuration/Product";

/** Whose price a room has, and the change that is to come or waits for approval. */
export function PricingStrip({ room }: { room: { id: number; fullName: string } }) {
  const [open, setOpen] = useState(false);
  const { data } = useQuery(ask(roomPricing, { params: { id: room.id } }));
  if (!data) return null;
  const { product, pending } = data;
  const own = data.priceMode === "own";
  const to = product && reach(PRODUCTS, { id: product.id });
  const change = pending && reach(CHANGES, { id: pending.id });
  return (
    <div className="rd__pricing row wrap">
      <span>
        {own ? "自有价格" : "跟随产品"}
        {product && <> · {to ? <Link to={to}>{product.name}</Link> : product.name}</>}
      </span>
      {own && product && may("6.edit") && (
        <Button
          size="sm"
          why={pending ? `房间已在调价单 ${pending.number} 中` : undefined}
          run={() => setOpen(true)}
        >
          恢复跟随产品
        </Button>
      )}
      {pending && (
        <span role="status">
          <WordTag words={CHANGE_STATES} code={pending.state} />{" "}
          {change ? <Link to={change}>{pending.number}</Link> : pending.number}，{pending.effectiveDay} 起
          {pending.newList !== null && ` ${yuan(pending.newList)}`}
        </span>
      )}
      {open && <FollowForm room={room} onClose={() => setOpen(false)} />}
    </div>
  );
}
