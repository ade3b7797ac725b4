import {
  type Fen,
  decimal,
  halfUp,
  isAmount,
  plus,
  ratio,
  times,
  TOO_LARGE,
  yuan,
} from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { isAttached, type RoomFacts } from "./product.rules.ts";
import type { ContractForm, Terms } from "./terms.contract.ts";

type Fee = Terms["fees"][number];
type Room = Pick<RoomFacts, "roomId" | "kind" | "area">;

/** Square metres of the shops of a contract together, parking and store rooms apart; nothing where one has none. */
export function shopArea(rooms: ContractForm["rooms"], facts: readonly Room[]): string | undefined {
  const own = new Set(rooms.map((room) => room.roomId));
  const shops = facts.filter((f) => own.has(f.roomId) && !isAttached(f.kind));
  if (!shops.length || shops.some((shop) => !Number(shop.area))) return undefined;
  const hundredths = halfUp(
    times(
      shops.reduce((sum, shop) => plus(sum, decimal(shop.area!)), ratio(0)),
      ratio(100),
    ),
  );
  return yuan(hundredths, false);
}

/** Fen a month of a fee by area: yuan per m² and month × m², rounded once, half up. */
export const feeByArea = (unitPrice: string, area: string): Fen =>
  halfUp(times(times(decimal(unitPrice), decimal(area)), ratio(100)));

/** 0.5 元/㎡·月 × 120.50 ㎡ = 60.25 */
export const areaFeeText = ({ unitPrice, amount }: Pick<Fee, "unitPrice" | "amount">, area: string): string =>
  `${unitPrice} 元/㎡·月 × ${area} ㎡ = ${yuan(amount)}`;

const UNIT_PRICE = /^\d{1,6}(\.\d{1,4})?$/;
/** Fees of which a price by area is known, with the amount that follows from it; the same array where nothing changes. */
export function pricedByArea(fees: readonly Fee[], area: string | undefined): readonly Fee[] {
  const priced = fees.map((fee) => {
    if (!area || !fee.unitPrice || !UNIT_PRICE.test(fee.unitPrice)) return fee;
    const amount = feeByArea(fee.unitPrice, area);
    return amount === fee.amount ? fee : { ...fee, amount };
  });
  return priced.some((fee, i) => fee !== fees[i]) ? priced : fees;
}

/** What is wrong with fees by area: shops alone have them, month by month, and the amount is what the area makes of the price. */
export const areaFeeErrors = (
  { kind, fees, rooms }: Pick<ContractForm, "kind" | "fees" | "rooms">,
  facts: readonly Room[],
): FieldError[] =>
  fees.flatMap((fee, i): FieldError[] => {
    if (!fee.unitPrice) return [];
    const no = (msg: string, field = "unitPrice") => [{ field: `fees.${i}.${field}`, msg }];
    if (kind !== "merchant") return no("只有商户合同的费用可以按面积计价");
    if (fee.kind !== "recurring") return no("按面积计价的费用按月计算，请选择周期费用");
    if (!UNIT_PRICE.test(fee.unitPrice)) return no("请输入正确的单价（最多四位小数）");
    const area = shopArea(rooms, facts);
    if (!area) return no("铺位没有面积，不能按面积计价");
    const amount = feeByArea(fee.unitPrice, area);
    if (!isAmount(amount)) return no(TOO_LARGE);
    return amount === fee.amount ? [] : no(`金额应为 ${areaFeeText({ ...fee, amount }, area)}`, "amount");
  });
