import { yuan } from "../../../platform/kernel/fen.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { Picture } from "../room/pictures.panel.tsx";
import { PRICE_UNITS, ROOM_KINDS } from "../room/words.rules.ts";
import type { products } from "./product.contract.ts";
import { PRODUCT_STATES } from "./product.rules.ts";

/** A product as a card: its cover, what it is, what it costs and how many rooms of it stand empty. */
export const ProductFace = ({ product: p }: { product: Row<typeof products> }) => (
  <>
    <span className="pd__cover grid dim">
      {p.cover === null ? <Icon name="image" size={20} /> : <Picture id={p.cover} alt={p.name} />}
    </span>
    <span className="pd__face grid gap-2 fs-13">
      <span className="row">
        <b className="grow cut">{p.name}</b>
        <WordTag words={PRODUCT_STATES} code={p.state} />
      </span>
      <span className="sub cut">
        {[ROOM_KINDS[p.kind][0], p.layout, p.area, p.payPlan].filter(Boolean).join(" · ")}
      </span>
      <span className="row">
        <b className="grow">
          {p.listPrice === null ? "—" : `${yuan(p.listPrice)} ${PRICE_UNITS[p.priceUnit][0]}`}
        </b>
        <span>
          {p.rooms.toLocaleString("en-US")} 间，空置 {p.vacant.toLocaleString("en-US")}
        </span>
      </span>
    </span>
  </>
);
