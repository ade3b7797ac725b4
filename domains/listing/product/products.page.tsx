import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ROOM_KINDS, PRICE_UNITS } from "../room/words.rules.ts";
import { ProductDrawer, ProductFace, useProductActs } from "./product.panel.tsx";
import { exportProducts, products, addProduct } from "./product.contract.ts";
import { AddForm } from "./product.form.tsx";
import "../price-change/price.css";

const ROOMS = "/configuration/ApartmentManage";

/** Room types with their prices and terms: the list, one beside it (?id=), and the form of a new one (?action=1). */
export default function ProductsPage() {
  const [actsOf, layer] = useProductActs();
  const [address] = useAddress();
  /** In the stores that the figures are of. */
  const roomsOf = (p: { id: number }, more: object = {}) =>
    pathTo(ROOMS, { view: "room", productId: p.id, villageIds: address.get("villageIds"), ...more });
  return (
    <>
      <ListPage
        call={products}
        unit="个"
        sort={{ sort: "name", order: "asc" }}
        filters={["villageIds", "kind", "state", "keyword", "priceFrom"]}
        columns={[
          { key: "name", width: 128 },
          "code",
          "state",
          { key: "kind", show: (p) => ROOM_KINDS[p.kind][0] },
          "layout",
          "area",
          { key: "listPrice", strong: true },
          ...(may("#601") ? (["lowestPrice"] as const) : []),
          { key: "priceUnit", show: (p) => PRICE_UNITS[p.priceUnit][0] },
          "payPlan",
          "villages",
          { key: "rooms", to: (p) => roomsOf(p) },
          { key: "vacant", to: (p) => roomsOf(p, { occupancy: "vacant" }) },
          "dealAverage",
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [
            ["payPlan", "listPrice"],
            ["layout", "area"],
          ],
        }}
        face={(p) => <ProductFace product={p} />}
        adds={{ does: addProduct, form: (close) => <AddForm onClose={close} /> }}
        rowActions={actsOf}
        drawer={(id) => <ProductDrawer id={id} />}
        exportCall={exportProducts}
        emptyText="产品是一类房间的价格和条款：新增产品后关联房间，以后一次调价，跟随的房间同时变更"
      />
      {layer}
    </>
  );
}
