import { Button } from "../../../platform/console/parts/button.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { feeHints, feesOf } from "../terms/product.rules.ts";
import type { Draft } from "./draft.form.tsx";
import { mainCard } from "./offered.rules.ts";

const CYCLE = { month: "每月", period: "每月，随租金付", once: "一次性" } as const;

/** The fees that the product of the room is let with, and the way back to them. */
export function ProductFees({ draft: { form, cards, patch } }: { draft: Draft }) {
  const product = mainCard(form.rooms, cards)?.product;
  if (!product?.fees.length) return null;
  const hints = feeHints(form, product);
  const asAgreed = () => {
    const own = feesOf(product);
    const others = form.fees.filter((fee) => !own.some((o) => o.feeId === fee.feeId));
    patch({ fees: [...others, ...own] });
  };
  return (
    <div className="fi--wide" role="note">
      <p className="dim">
        {product.name} 约定：
        {product.fees.map((f) => `${f.name} ${yuan(f.amount)}（${CYCLE[f.cycle]}）`).join("、")}
      </p>
      {hints.length > 0 && (
        <p className="row">
          <StatusTag tone="orange">{hints.join("；")}</StatusTag>
          <Button size="sm" run={asAgreed}>
            按产品填入
          </Button>
        </p>
      )}
    </div>
  );
}
